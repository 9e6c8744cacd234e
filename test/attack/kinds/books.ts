import { parse } from 'yaml';
import type { Json } from '../../../src/base/json.ts';
import { asList, asObject, asText } from '../../../src/base/json.ts';
import type { Prng } from '../../../src/base/prng.ts';
import { yamlText } from '../../../src/commands/yaml-text.ts';
import type { AttackCase } from '../attack-case.ts';
import { CANARY } from '../attack-case.ts';
import { pastedText, playbookText, ruleText } from '../corpus.ts';
import { hostileText, pick, reworded, shareOf, spoilt, torn } from '../mutation.ts';

/** Commands that leave a file behind where they are run. */
const COMMANDS: readonly Json[] = [
  ['sh', '-c', `touch {dir}/${CANARY}`],
  ['touch', `{dir}/${CANARY}`],
  ['kubectl', 'get', 'pods', `--cache-dir={dir}/${CANARY}`],
  ['kubectl', 'get', 'pods', '-o', `go-template-file={dir}/${CANARY}`],
  ['env', 'touch', `{dir}/${CANARY}`],
  ['/bin/sh', '-c', `: > {dir}/${CANARY}`],
];

/** A playbook that somebody sent, with programs in it that nobody wants to be run. */
export function playbookCase(prng: Prng): AttackCase {
  const book = asObject(parse(playbookText(prng), { merge: true }) as Json);
  const steps = [...asList(book['steps'])];
  for (let times = prng.below(3); times > 0; times--)
    steps.splice(prng.below(steps.length + 1), 0, {
      id: `run-${String(times)}`,
      say: 'Look.',
      run: pick(COMMANDS, prng),
      effect: pick(['read', 'write', 'destructive'], prng),
    });
  const text = written({ ...book, steps }, prng);
  const run = ['runbook', 'run', '{dir}/book.yaml', 'Deployment/shop/web', '--scenario', 'volumes/configmap-not-found'];
  const command = pick(
    [
      ['runbook', 'lint', '{dir}/book.yaml'],
      ['runbook', 'show', '{dir}/book.yaml'],
      ['runbook', 'show', '{dir}/book.yaml', '-o', 'markdown'],
      ['runbook', 'show', '{dir}/book.yaml', '-o', 'yaml'],
      [...run, '--dry-run'],
      [...run, '--auto', 'read'],
      run,
      [...run, '--simulate'],
    ],
    prng,
  );
  const trusted = prng.fraction() < 0.5 ? [['runbook', 'trust', '{dir}/book.yaml']] : [];
  return { commands: [...trusted, command], files: { 'book.yaml': text } };
}

/** Rules of somebody's own, with patterns that could take for ever. */
export function rulesCase(prng: Prng): AttackCase {
  const files: Record<string, string> = { 'paste.txt': torn(pastedText(prng), prng) };
  for (let count = 1 + prng.below(4); count > 0; count--) {
    const rule = asObject(parse(ruleText(prng), { merge: true }) as Json);
    const [stage = 'volumes'] = (asText(rule['id']) ?? '').split('/');
    const name = `own-${String(count)}`;
    files[`rules/${stage}/${name}.yaml`] = written(
      { ...rule, id: `${stage}/${name}`, explains: [`${stage}/own-1`, `${stage}/own-2`] },
      prng,
    );
    if (prng.fraction() < 0.5) files[`rules/${stage}/${name}.match.txt`] = torn(pastedText(prng), prng);
  }
  return {
    commands: [
      pick(
        [
          ['rules', 'test', '{dir}/rules'],
          ['rules', 'list', '--rules', '{dir}/rules', '-o', 'json'],
          ['scan', '--from', '{dir}/paste.txt', '--rules', '{dir}/rules'],
          ['explain', 'own-1', '--rules', '{dir}/rules'],
        ],
        prng,
      ),
    ],
    files,
  };
}

/** Mostly it has the right fields, with other words in them: what is refused at once tries nothing further. */
function written(value: Json, prng: Prng): string {
  switch (prng.below(6)) {
    case 0:
      return torn(yamlText(value), prng);
    case 1:
      return yamlText(spoilt(value, prng, shareOf(prng)) ?? null);
    default:
      return yamlText(reworded(value, prng, shareOf(prng)));
  }
}

/** What Alertmanager sends, or somebody in its place. */
export function alertCase(prng: Prng): AttackCase {
  const alert: Json = {
    version: '4',
    status: 'firing',
    groupLabels: { alertname: 'KubePodNotReady' },
    alerts: [
      {
        status: 'firing',
        labels: {
          alertname: pick(['KubePodNotReady', 'KubePodCrashLooping', 'KubeDeploymentReplicasMismatch', hostileText(prng)], prng),
          namespace: 'shop',
          pod: 'web-1',
          deployment: 'web',
        },
        annotations: { summary: hostileText(prng) },
        startsAt: '2026-01-15T12:00:00Z',
      },
    ],
  };
  return {
    commands: [['runbook', 'run', '--alert', '{dir}/alert.json', '--dry-run', '--scenario', 'volumes/configmap-not-found']],
    files: { 'alert.json': torn(JSON.stringify(spoilt(alert, prng, shareOf(prng)) ?? null, undefined, 1), prng) },
  };
}
