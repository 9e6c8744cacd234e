import type { Json } from '../../../src/base/json.ts';
import type { Prng } from '../../../src/base/prng.ts';
import { yamlText } from '../../../src/commands/yaml-text.ts';
import type { AttackCase } from '../attack-case.ts';
import { hostileText, pick, shareOf, spoilt, torn } from '../mutation.ts';
import { planted } from '../planted.ts';
import { reading } from './saved.ts';

/** A kubeconfig that leads nowhere, with what opens a cluster in it. Without a credential plugin: that is a program the file asks for. */
export function kubeconfigCase(prng: Prng): AttackCase {
  const { secrets, line } = planted(prng);
  const [secret = ''] = secrets;
  const server = pick(
    ['https://127.0.0.1:1', 'http://127.0.0.1:1', `https://shop:${secret}@127.0.0.1:1`, 'https://[::1]:1/prefix', hostileText(prng)],
    prng,
  );
  const user = pick<Json>(
    [
      { token: secret },
      { username: 'shop', password: secret },
      { 'client-key-data': secrets[1] ?? '', 'client-certificate-data': 'x' },
      { tokenFile: '{dir}/token' },
      { 'auth-provider': { name: 'oidc', config: { 'id-token': secret, 'refresh-token': secret } } },
    ],
    prng,
  );
  const config: Json = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'shop',
    clusters: [
      {
        name: 'shop',
        cluster: {
          server,
          'insecure-skip-tls-verify': prng.fraction() < 0.5,
          'proxy-url': pick([undefined, 'http://127.0.0.1:1', `socks5://shop:${secret}@127.0.0.1:1`], prng),
        },
      },
    ],
    contexts: [{ name: 'shop', context: { cluster: 'shop', user: 'eve', namespace: 'shop' } }],
    users: [{ name: 'eve', user }],
    comment: line(),
  };
  const text = yamlText(spoilt(JSON.parse(JSON.stringify(config)) as Json, prng, shareOf(prng)) ?? null);
  // A word of the command line can be shown: what is no flag that podcheck knows as secret is not one.
  return {
    commands: [[...reading(prng), '--kubeconfig', '{dir}/config', '--request-timeout', '2s']],
    files: { config: prng.fraction() < 0.3 ? torn(text, prng) : text, token: secret },
    secrets: [secret],
  };
}

const WORDS = [
  'diagnose',
  'scan',
  'rules',
  'explain',
  'sim',
  'list',
  'show',
  'runbook',
  'journal',
  'cert-expiry',
  'drill',
  'eval',
  'completion',
  '__complete',
  'web',
  'Pod/web',
  'shop',
  '-n',
  '-A',
  '-l',
  '-o',
  'json',
  '--from',
  '-',
  '--now',
  '--at',
  '--since',
  '--within',
  '--scenario',
  'volumes/configmap-not-found',
  '--seed',
  '--timeline',
  '--rules',
  '--context',
  '--as',
  '--request-timeout',
  '--help',
  '-h',
  '--version',
  '--',
  '=',
];

/** Words that a person may type, or a script. Nothing that stays (`serve`, `start`, `--watch`), asks, or writes to the folder it is in. */
export function commandLineCase(prng: Prng): AttackCase {
  const argv = Array.from({ length: prng.below(7) }, () => (prng.fraction() < 0.25 ? hostileText(prng).slice(0, 2000) : pick(WORDS, prng)));
  return { commands: [argv.filter((word) => !word.startsWith('/dev/'))] };
}
