import { asList, asNumber, asObject, asText, dig } from '../../base/json.ts';
import { parseInteger } from '../../base/number.ts';
import type { Fact } from '../../model/fact.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef, inNamespace, labelsOf, objectKey, parseRef, refOf, sameObject } from '../../model/kube-object.ts';
import { formatLabels } from '../placement/fit/node-terms.ts';
import { isReady } from '../objects/pods.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { Scene } from '../survey/scene.ts';
import type { Connection } from './policy-reach.ts';
import { blockingPolicies, DIRECTIONS } from './policy-reach.ts';
import { selectorOf, selects } from './service-backends.ts';

/** `blocked-call` facts: what pods that are not ready call, and no NetworkPolicy lets them reach. */
export async function collectBlockedCalls(scene: Scene, sink: FactSink): Promise<void> {
  const told = new Set<string>();
  for (const fact of sink.facts.slice()) {
    const call = callOf(fact);
    if (call === undefined) continue;
    const callers =
      fact.about.kind === 'Pod' ? scene.judged.filter((pod) => sameObject(refOf(pod), fact.about)) : scene.judgedOf(fact.about);
    for (const pod of callers.filter((one) => isReady(one) !== true && !isOfNode(one))) {
      const key = `${objectKey(pod)} ${call.container} ${formatRef(call.service)} ${String(call.port)}`;
      if (told.has(key)) continue;
      told.add(key);
      await blockedFacts(pod, call, scene, sink);
    }
  }
}

interface PodCall {
  readonly service: ObjectRef;
  readonly port: number | undefined;
  readonly container: string;
}

const CLUSTER_DNS: ObjectRef = { kind: 'Service', namespace: 'kube-system', name: 'kube-dns' };

function callOf({ kind, fields }: Fact): PodCall | undefined {
  const container = asText(fields['container']) ?? '';
  const isOfDns = fields['class'] === 'dns-timeout' || (fields['class'] === 'name-not-resolved' && fields['exists'] === true);
  if (kind === 'call-failure' && isOfDns) return { service: CLUSTER_DNS, port: 53, container };
  if (kind !== 'dependency' || fields['called'] !== true) return undefined;
  const service = parseRef(asText(fields['on']) ?? '');
  return service === undefined ? undefined : { service, port: parseInteger(asText(fields['port'])), container };
}

/** Policies are not for pods in the network of their node. */
function isOfNode(pod: KubeObject): boolean {
  return dig(pod, 'spec', 'hostNetwork') === true;
}

async function blockedFacts(pod: KubeObject, call: PodCall, scene: Scene, sink: FactSink): Promise<void> {
  const connection = await connectionOf(pod, call, scene);
  if (connection === undefined) return;
  for (const direction of DIRECTIONS) {
    const [own, other] = direction === 'egress' ? [pod, connection.to.pod] : [connection.to.pod, pod];
    const namespace = own?.metadata.namespace;
    const list = namespace === undefined ? undefined : await scene.survey.list('NetworkPolicy', { namespace });
    // A policy that was not seen may allow it.
    const all = list?.ok === true && list.partial === undefined ? blockingPolicies(list.value, direction, connection) : [];
    const blocking = all.toSorted((one, two) => weightOf(two) - weightOf(one));
    const [first] = blocking;
    if (first === undefined) continue;
    sink.fact(
      'blocked-call',
      refOf(pod),
      {
        container: call.container,
        on: formatRef(call.service),
        service: call.service.name,
        port: connection.port,
        protocol: connection.protocol,
        direction,
        blame: objectKey(first),
        policy: first.metadata.name,
        policyNamespace: namespace,
        policies: blocking.map(({ metadata }) => metadata.name).join(', '),
        peer: other === undefined ? undefined : formatLabels(plainLabels(other)),
        peerNamespace: other?.metadata.namespace,
      },
      {
        source: `${objectKey(first)} spec`,
        quote: `selects ${own?.metadata.name ?? ''}; no ${direction} rule allows ${connection.protocol} port ${String(connection.port)}`,
      },
    );
  }
}

/** The policy to change: one that selects few pods, else one that allows least. */
function weightOf({ spec }: KubeObject): number {
  const selected =
    Object.keys(asObject(dig(spec, 'podSelector', 'matchLabels'))).length + asList(dig(spec, 'podSelector', 'matchExpressions')).length;
  return selected * 100 - asList(dig(spec, 'ingress')).length - asList(dig(spec, 'egress')).length;
}

/** The connection to a ready pod behind the Service; undefined where none was seen. Of the DNS, whose pods few may see, the port alone. */
async function connectionOf(pod: KubeObject, { service: ref, port: called }: PodCall, scene: Scene): Promise<Connection | undefined> {
  const service = await scene.survey.get(ref);
  const pods = service.ok ? await scene.survey.list('Pod', inNamespace(ref.namespace)) : undefined;
  const selector = service.ok ? selectorOf(service.value) : {};
  const to =
    pods?.ok === true ? pods.value.find((one) => isReady(one) === true && !isOfNode(one) && selects(selector, labelsOf(one))) : undefined;
  const from = { pod, namespace: await namespaceOf(pod, scene) };
  if (sameObject(ref, CLUSTER_DNS)) return { from, to: { pod: to, namespace: await namespaceOf(to, scene) }, port: 53, protocol: 'UDP' };
  if (!service.ok || to === undefined) return undefined;
  const ports = asList(dig(service.value, 'spec', 'ports'));
  const wanted = called === undefined && ports.length === 1 ? ports[0] : ports.find((one) => dig(one, 'port') === called);
  const target = dig(wanted, 'targetPort') ?? dig(wanted, 'port');
  const declared = asList(dig(to, 'spec', 'containers')).flatMap((container) => asList(dig(container, 'ports')));
  const port =
    asNumber(target) ??
    asNumber(
      dig(
        declared.find((one) => dig(one, 'name') === target),
        'containerPort',
      ),
    );
  // Where nothing listens, it is the Service that is wrong.
  if (port === undefined || !declared.some((one) => dig(one, 'containerPort') === port)) return undefined;
  return { from, to: { pod: to, namespace: await namespaceOf(to, scene) }, port, protocol: asText(dig(wanted, 'protocol')) ?? 'TCP' };
}

async function namespaceOf(pod: KubeObject | undefined, { survey }: Scene): Promise<KubeObject | undefined> {
  const name = pod?.metadata.namespace;
  const read = name === undefined ? undefined : await survey.get({ kind: 'Namespace', name });
  return read?.ok === true ? read.value : undefined;
}

/** Labels that a person gave: the others change with each revision. */
function plainLabels(pod: KubeObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(labelsOf(pod)).filter(([key]) => !/-hash$|pod-name$|pod-index$|controller-uid$|job-name$/.test(key)),
  );
}
