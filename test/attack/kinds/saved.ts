import { gzipSync } from 'node:zlib';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asList, asObject, dig } from '../../../src/base/json.ts';
import { withPath } from '../../../src/base/json-edit.ts';
import type { Prng } from '../../../src/base/prng.ts';
import { yamlText } from '../../../src/commands/yaml-text.ts';
import { tarOf, zipOf } from '../../support/archives.ts';
import type { AttackCase } from '../attack-case.ts';
import { objects, pastedText } from '../corpus.ts';
import { bitten, pick, shareOf, spoilt, torn } from '../mutation.ts';
import type { Planted } from '../planted.ts';
import { planted } from '../planted.ts';

/** Text that somebody pasted, with secrets in lines that are whole. */
export function pastedCase(prng: Prng): AttackCase {
  const { secrets, line } = planted(prng);
  const lines = torn(pastedText(prng), prng).split('\n');
  for (let times = prng.below(4); times > 0; times--) lines.splice(prng.below(lines.length + 1), 0, line());
  return { commands: [[...reading(prng), '--from', '-']], stdin: lines.join('\n'), secrets };
}

/** Objects as `kubectl get -o json` saves them: one file, many, or an archive. */
export function savedCase(prng: Prng): AttackCase {
  const plant = planted(prng);
  const share = shareOf(prng);
  const items = [...objects(prng), ...(prng.fraction() < 0.5 ? objects(prng) : [])]
    .map((object) => asObject(spoilt(object, prng, share) ?? {}))
    .map((object) => withSecrets(object, prng, plant));
  const list: Json = { apiVersion: 'v1', kind: 'List', items };
  const text = prng.fraction() < 0.7 ? JSON.stringify(list, undefined, pick([0, 2], prng)) : yamlText(list);
  const log = Array.from({ length: 1 + prng.below(30) }, () => (prng.fraction() < 0.3 ? plant.line() : 'GET /healthz 200')).join('\n');
  return { commands: [[...reading(prng), '--from', '{dir}/saved']], files: stored(text, log, prng), secrets: plant.secrets };
}

function stored(text: string, log: string, prng: Prng): Readonly<Record<string, string | Uint8Array>> {
  const files = [
    { path: 'shop/objects.json', text },
    { path: 'shop/web-1/web.log', text: log },
  ];
  switch (prng.below(6)) {
    case 0:
      return { saved: bitten(zipOf(files), prng) };
    case 1:
      return { saved: bitten(tarOf(files), prng) };
    case 2:
      return { saved: bitten(gzipSync(tarOf(files)), prng) };
    case 3:
      return { saved: gzipSync(text) };
    case 4:
      return { 'saved/shop/objects.json': text, 'saved/shop/web-1/web.log': log, 'saved/shop/pods/web-1/logs/current.log': log };
    default:
      return { saved: text };
  }
}

/** Secrets where a cluster has them: in variables, commands, annotations, events, status messages and Secrets. */
function withSecrets(object: JsonObject, prng: Prng, { line, env, secrets }: Planted): JsonObject {
  if (prng.fraction() < 0.5) return object;
  const base64 = secrets[1] ?? '';
  if (prng.fraction() < 0.1)
    return {
      apiVersion: 'v1',
      ...(prng.fraction() < 0.5 ? { kind: 'Secret' } : {}),
      type: 'Opaque',
      metadata: {
        name: 'db',
        namespace: 'shop',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ stringData: { value: secrets[0] ?? '' } }) },
      },
      data: { value: base64 },
    };
  const containers = asList(dig(object, 'spec', 'containers'));
  const [first, ...others] = containers;
  const changes: readonly (() => JsonObject)[] = [
    () => ({ ...object, message: line() }),
    () => withPath(object, ['metadata', 'annotations'], { note: line(), ...asObject(dig(object, 'metadata', 'annotations')) }),
    () => withPath(object, ['status', 'message'], line()),
    () =>
      first === undefined
        ? object
        : withPath(object, ['spec', 'containers'], [{ ...asObject(first), env: [env(), { name: 'MODE', value: 'dark' }] }, ...others]),
    () =>
      first === undefined
        ? object
        : withPath(object, ['spec', 'containers'], [{ ...asObject(first), command: ['sh', '-c', line()] }, ...others]),
  ];
  return pick(changes, prng)();
}

/** A command that looks at something, in one of its formats. */
export function reading(prng: Prng): readonly string[] {
  const command = pick([['diagnose'], ['diagnose', '--timeline'], ['scan'], ['scan', '-A'], ['cert-expiry']], prng);
  const formats =
    command[0] === 'cert-expiry'
      ? ['text', 'wide', 'json', 'yaml', 'markdown', 'prometheus']
      : ['text', 'wide', 'json', 'yaml', 'markdown'];
  return [...command, '-o', pick(formats, prng)];
}
