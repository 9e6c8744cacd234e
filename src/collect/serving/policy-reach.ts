import type { Json } from '../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Match } from '../../model/selectors.ts';
import { matchObjectLabels } from '../../model/selectors.ts';
import { requirementsOf } from '../placement/fit/label-selectors.ts';

/** A pod and its namespace; undefined where they were not seen. */
export interface PolicyEnd {
  readonly pod: KubeObject | undefined;
  readonly namespace: KubeObject | undefined;
}

/** A connection to a port of a pod. */
export interface Connection {
  readonly from: PolicyEnd;
  readonly to: PolicyEnd;
  readonly port: number;
  readonly protocol: string;
}

export const DIRECTIONS = ['egress', 'ingress'] as const;
type Direction = (typeof DIRECTIONS)[number];

/**
 * The policies of a namespace that select the pod of it, if surely none of them allows the connection. What could not be seen, and
 * addresses, may allow it. Source: staging/src/k8s.io/api/networking/v1/types.go (NetworkPolicySpec).
 */
export function blockingPolicies(policies: readonly KubeObject[], direction: Direction, connection: Connection): readonly KubeObject[] {
  const [own, other] = direction === 'egress' ? [connection.from, connection.to] : [connection.to, connection.from];
  const covering = policies.filter((policy) => isFor(policy, direction) && matches(dig(policy, 'spec', 'podSelector'), own.pod) !== 'no');
  const allows = covering.some((policy) =>
    asList(dig(policy, 'spec', direction)).some((rule) => {
      const [ports, peers] = [asList(dig(rule, 'ports')), asList(dig(rule, direction === 'egress' ? 'to' : 'from'))];
      return (
        (ports.length === 0 || ports.some((port) => isPort(port, connection))) &&
        (peers.length === 0 || peers.some((peer) => mayBe(peer, other, policy.metadata.namespace)))
      );
    }),
  );
  return allows ? [] : covering.filter((policy) => matches(dig(policy, 'spec', 'podSelector'), own.pod) === 'yes');
}

/** Without policyTypes a policy is for ingress, and for egress if it has such rules. Source: pkg/apis/networking/v1/defaults.go. */
function isFor(policy: KubeObject, direction: Direction): boolean {
  const types = asList(dig(policy, 'spec', 'policyTypes')).map((type) => asText(type)?.toLowerCase());
  return types.length === 0 ? direction === 'ingress' || dig(policy, 'spec', 'egress') !== undefined : types.includes(direction);
}

function isPort(given: Json, { port, protocol, to }: Connection): boolean {
  if ((asText(dig(given, 'protocol')) ?? 'TCP') !== protocol) return false;
  const wanted = dig(given, 'port');
  if (wanted === undefined) return true;
  const number = asNumber(wanted);
  if (number !== undefined) return port >= number && port <= (asNumber(dig(given, 'endPort')) ?? number);
  const declared = asList(dig(to.pod, 'spec', 'containers')).flatMap((container) => asList(dig(container, 'ports')));
  return to.pod === undefined || declared.some((one) => dig(one, 'name') === wanted && dig(one, 'containerPort') === port);
}

function mayBe(peer: Json, { pod, namespace }: PolicyEnd, home: string | undefined): boolean {
  if (dig(peer, 'ipBlock') !== undefined) return true;
  const spaces = dig(peer, 'namespaceSelector');
  const isNear = spaces === undefined ? pod === undefined || pod.metadata.namespace === home : matches(spaces, namespace) !== 'no';
  return isNear && (dig(peer, 'podSelector') === undefined || matches(dig(peer, 'podSelector'), pod) !== 'no');
}

/** An empty selector selects all. */
function matches(selector: Json | undefined, object: KubeObject | undefined): Match {
  const requirements = requirementsOf(selector) ?? [];
  if (requirements.length === 0) return 'yes';
  return object === undefined ? 'unknown' : matchObjectLabels(requirements, object);
}
