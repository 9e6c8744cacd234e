import { formatDuration } from '../../base/duration.ts';
import { asText, dig } from '../../base/json.ts';
import { append } from '../../base/lists.ts';
import { printable } from '../../base/text.ts';
import { formatRef } from '../../model/kube-object.ts';
import type { Scenario, ScenarioClient, ScenarioIdentity, ScenarioStep } from '../../model/scenario.ts';
import type { Look } from '../format/text-style.ts';
import { paint, shown } from '../format/text-style.ts';

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
  if (expect !== undefined)
    lines.push(
      '',
      `Expected  ${[expect.outcome, expect.cause, expect.object === undefined ? undefined : `on ${formatRef(expect.object)}`].filter((word) => word !== undefined).join(' ')}`,
    );
  if (cure.length > 0) append(lines, ['', 'Cure', ...cure.map((step) => `  ${stepWords(step)}`)]);
  return shown(look, lines);
}

/** What a step does, in a line. */
export function stepWords(step: ScenarioStep): string {
  const when = step.atMilliseconds === undefined ? '' : `at ${formatDuration(step.atMilliseconds / 1000)}: `;
  return printable(`${when}${actionWords(step)}`);
}

function actionWords(step: ScenarioStep): string {
  switch (step.do) {
    case 'apply':
      return `${step.create ? 'create' : 'apply'} ${manifestWords(step)}${clientWords(step)}`;
    case 'delete':
      return `delete ${step.objects.map(formatRef).join(', ')}${step.cascade === undefined ? '' : `, cascade ${step.cascade}`}${clientWords(step)}`;
    case 'patch':
      return `patch ${formatRef(step.object)} ${JSON.stringify(step.body)}`;
    case 'drain':
      return `drain Node/${step.node}`;
    case 'exec':
      return `in ${formatRef(step.pod)} run ${step.command.join(' ')}`;
    case 'token':
      return `create a token for ServiceAccount/${step.account.namespace}/${step.account.name}${step.seconds === undefined ? '' : ` valid for ${formatDuration(step.seconds)}`}`;
    case 'look':
      return `read the status of service ${step.service} on Node/${step.node}`;
    case 'fault':
      return `fault ${JSON.stringify(step.fault)}`;
    case 'wait':
      return step.milliseconds === undefined
        ? 'wait until the cluster has settled'
        : `wait ${formatDuration(step.milliseconds / 1000)}${step.forWhat === undefined ? '' : ` for ${step.forWhat}`}`;
  }
}

function manifestWords({ documents, manifest }: ScenarioStep & { readonly do: 'apply' }): string {
  if (manifest?.missing === true) return `${manifest.file}, which does not exist`;
  if (manifest?.text !== undefined) return `${manifest.file} (${manifest.text.length} characters)`;
  return documents.map((document) => `${asText(document['kind']) ?? '?'}/${asText(dig(document, 'metadata', 'name')) ?? '?'}`).join(', ');
}

function clientWords({ as, kubeconfig }: ScenarioClient): string {
  const who = as === undefined ? '' : ` as ${identityWords(as)}`;
  return kubeconfig === undefined ? who : `${who} with ${kubeconfig.file}${kubeconfig.missing === true ? ', which does not exist' : ''}`;
}

function identityWords(as: ScenarioIdentity): string {
  switch (as.kind) {
    case 'user':
      return as.name;
    case 'token':
      return 'a client with a bearer token';
    case 'account':
      return `ServiceAccount/${as.account.namespace}/${as.account.name}`;
    case 'anonymous':
      return 'an anonymous client';
  }
}
