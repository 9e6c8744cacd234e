import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Instant } from '../../src/base/instant.ts';
import { parseInstant } from '../../src/base/instant.ts';
import type { Json } from '../../src/base/json.ts';
import { dig, isJsonObject } from '../../src/base/json.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';

/** One line of a recorded watch stream. */
export interface WatchLine {
  readonly at: Instant;
  readonly seen: Json;
  readonly object: KubeObject;
}

/** The lines of the recorded watch stream, or those of one watch. */
export function watched(folder: string, watch = ''): readonly WatchLine[] {
  const file = join(folder, 'watch.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes(`"watch": "${watch}`) || line.includes(`"watch":"${watch}`))
    .flatMap((line) => {
      const seen = JSON.parse(line) as Json;
      const [at, object] = [parseInstant(dig(seen, 't')), dig(seen, 'object')];
      return at === undefined || !isJsonObject(object) ? [] : [{ at, seen, object: object as KubeObject }];
    });
}
