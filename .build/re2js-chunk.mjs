// An entry of the build that puts re2js into a chunk of its own, which the page does without. The entry itself is not kept.
import { RE2JS, RE2JSException } from 're2js';

export { RE2JS, RE2JSException };
