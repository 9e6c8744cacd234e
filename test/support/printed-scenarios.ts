import { asList, asText, dig } from '../../src/base/json.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { kubectl } from '../../src/page/kubectl/kubectl.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import { played, targetOf } from './scenario-runs.ts';

/** A text that somebody pastes: what of it, and how it came. */
export interface Printed {
  readonly form: string;
  readonly text: string;
}

/** What the page's kubectl describes as the real one does. */
const DESCRIBED = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'Service', 'Node'];

/** What kubectl prints about the target of a scenario, in the selections that people make of it. */
export function printedForms(scenario: Scenario): readonly Printed[] {
  const cluster = played(scenario);
  const { kind, name, namespace = 'default' } = targetOf(scenario.expect);
  const ask = (line: string): string => answerOf(cluster, `${line} -n ${namespace}`);
  const [list, events] = [ask('get pods'), ask('get events')];
  const described = DESCRIBED.includes(kind) ? ask(`describe ${kind.toLowerCase()} ${name}`) : '';
  const forms = [
    { form: 'list, events', text: list + events },
    { form: 'all, events', text: ask('get deploy,rs,sts,ds,job,pod,svc') + events },
    ...(described === '' ? [] : [{ form: 'all, workload', text: ask('get deploy,rs,sts,ds,job,pod,svc') + described }]),
  ];
  const pod = unwellPod(cluster, namespace, name);
  if (pod === undefined) return forms;
  const description = ask(`describe pod ${pod.metadata.name}`);
  const logs = containersWithLogs(pod)
    .map((flags) => ask(`logs ${pod.metadata.name} ${flags}`))
    .join('');
  return [
    ...forms,
    { form: 'describe', text: description },
    { form: 'end of describe', text: description.slice(description.indexOf('\nEvents:') + 1) },
    { form: 'list, describe', text: list + description },
    { form: 'yaml', text: ask(`get pod ${pod.metadata.name} -o yaml`) },
    { form: 'list, describe, logs, events', text: list + description + logs + events },
    ...(logs === '' ? [] : [{ form: 'list, logs', text: list + logs }]),
  ];
}

/** What becomes of a text on its way into a ticket. */
export const WRAPPINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'without commands': (text) => text.replaceAll(/^\$ .*\n/gm, ''),
  quoted: (text) => text.replaceAll(/^/gm, '> '),
  'without indents': (text) => text.replaceAll(/^[ \t]+/gm, ''),
  'single spaces': (text) => text.replaceAll(/(?<=\S)[ \t]{2,}/g, ' '),
  'at 80 columns': (text) => text.replaceAll(/.{80}(?=.)/g, '$&\n'),
  'lines of Windows': (text) => text.replaceAll('\n', '\r\n'),
  tabs: (text) => text.replaceAll(/ {2,}/g, '\t'),
  bullets: (text) => text.replaceAll(/^(?=\S)/gm, '- '),
  stamped: (text) => text.replaceAll(/^/gm, '2026-11-20T09:12:41.1234567Z '),
  'later half': (text) => text.slice(text.indexOf('\n', text.length / 2) + 1),
  'first half': (text) => text.slice(0, text.lastIndexOf('\n', text.length / 2) + 1),
};

function answerOf(cluster: Cluster, line: string): string {
  const kube = {
    cluster,
    text: undefined,
    send: (request: Parameters<Cluster['request']>[0]) => cluster.request(request),
    sent: () => undefined,
    passUntil: () => false,
  };
  return `$ kubectl ${line}\n${kubectl(line.split(' '), kube).output.trimEnd()}\n`;
}

function unwellPod(cluster: Cluster, namespace: string, name: string): KubeObject | undefined {
  const unwell = cluster.store.list('pods', namespace).filter((pod) => !isWell(pod));
  return unwell.find(({ metadata }) => metadata.name.startsWith(name)) ?? unwell[0];
}

function isWell(pod: KubeObject): boolean {
  if (dig(pod, 'status', 'phase') === 'Succeeded') return true;
  return asList(dig(pod, 'status', 'conditions')).some((one) => dig(one, 'type') === 'Ready' && dig(one, 'status') === 'True');
}

/** The flags of `kubectl logs` for each container that has run and is not well. */
function containersWithLogs(pod: KubeObject): readonly string[] {
  return ['initContainerStatuses', 'containerStatuses']
    .flatMap((field) => asList(dig(pod, 'status', field)))
    .filter((one) => dig(one, 'ready') !== true)
    .flatMap((one) => {
      const container = `-c ${asText(dig(one, 'name')) ?? ''}`;
      if (dig(one, 'state', 'waiting') === undefined) return [container];
      return dig(one, 'lastState', 'terminated') === undefined ? [] : [`${container} --previous`];
    });
}
