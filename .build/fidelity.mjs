// Compares the simulator with recordings of a real cluster. npm run fidelity -- DIR [--json] [--only WORD] [--seed N].
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiled } from './bundled-data.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const { main } = await compiled(ROOT, 'test/fidelity/main.ts');
process.exitCode = main(process.argv.slice(2), join(ROOT, 'test/fidelity/setups.yaml'));
