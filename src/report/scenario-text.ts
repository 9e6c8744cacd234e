import { formatDuration } from '../base/duration.ts';
import { asText, dig } from '../base/json.ts';
import { printable } from '../base/text.ts';
import { formatRef } from '../model/kube-object.ts';
import type { Scenario, ScenarioStep } from '../model/scenario.ts';
import type { Look } from './look.ts';
import { paint, shown } from './look.ts';

/** A scenario for a person. */
export function scenarioText(scenario: Scenario, look: Look): string {
  const { id, title, cluster, setup, steps, expect, cure } = scenario;
  const nodes = typeof cluster.preset === 'string' ? cluster.preset : cluster.preset.map((node) => asText(node['name']) ?? '').join(', ');
  const lines = [
    paint(look, 'bold', printable(id)),
    printable(title),
    '',
    `Cluster  ${printable(nodes)}`,
    ...(setup.length === 0 ? [] : ['', 'Before it starts', ...setup.map(({ fault }) => `  ${printable(JSON.stringify(fault))}`)]),
    '',
    'Steps',
    ...steps.map((step) => `  ${stepWords(step)}`),
  ];
  if (expect !== undefined) lines.push('', `Expected  ${[expect.outcome, expect.cause, expect.object === undefined ? undefined : `on ${formatRef(expect.object)}`].filter((word) => word !== undefined).join(' ')}`);
  if (cure.length > 0) lines.push('', 'Cure', ...cure.map((step) => `  ${stepWords(step)}`));
  return shown(look, lines);
}

/** What a step does, in a line. */
export function stepWords(step: ScenarioStep): string {
  const when = step.atMilliseconds === undefined ? '' : `at ${formatDuration(step.atMilliseconds / 1000)}: `;
  return printable(`${when}${actionWords(step)}`);
}

function actionWords(step: ScenarioStep): string {
  switch (step.do) {
    case 'apply': {
      const objects = step.documents.map((document) => `${asText(document['kind']) ?? '?'}/${asText(dig(document, 'metadata', 'name')) ?? '?'}`);
      return `${step.create ? 'create' : 'apply'} ${objects.join(', ')}${step.as === undefined ? '' : ` as ${step.as.name}`}`;
    }
    case 'delete':
      return `delete ${step.objects.map(formatRef).join(', ')}`;
    case 'patch':
      return `patch ${formatRef(step.object)} ${JSON.stringify(step.body)}`;
    case 'fault':
      return `fault ${JSON.stringify(step.fault)}`;
    case 'wait':
      return 'wait until it has settled';
  }
}
