import type { Json, JsonObject } from '../../../base/json.ts';
import { append } from '../../../base/lists.ts';
import { own } from '../../../base/own-property.ts';
import { withoutUndefined } from '../../../base/without-undefined.ts';
import type { Line } from '../clean-lines.ts';
import type { Draft } from '../draft.ts';
import { given, integer } from '../draft.ts';
import { labelSelectorJson, portOf } from '../printed-values.ts';

type Direction = 'ingress' | 'egress';

/**
 * The Spec of a NetworkPolicy: for each direction its rules, parted by dashes, each with ports and peers.
 * Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go (printNetworkPolicySpecIngressFrom, printNetworkPolicySpecEgressTo).
 */
export function describeNetworkPolicy(lines: readonly Line[], draft: Draft): void {
  let direction: Direction | undefined;
  const rulesOf: { [direction in Direction]?: Line[][] } = {};
  for (const line of lines) {
    const text = line.text.trim();
    const begins = /^Allowing (ingress|egress) traffic/.exec(text);
    if (begins !== null) {
      direction = begins[1] === 'egress' ? 'egress' : 'ingress';
      rulesOf[direction] = [[]];
    } else if (/^Not affecting (?:ingress|egress) traffic/.test(text)) direction = undefined;
    else if (text.startsWith('Policy Types: ')) draft.show('spec.policyTypes', membersOf(text.slice('Policy Types: '.length)));
    else if (direction === undefined) showPodSelector(text, draft);
    else if (/^-{4,}$/.test(text)) rulesOf[direction]?.push([]);
    else rulesOf[direction]?.at(-1)?.push(line);
  }
  showRules(rulesOf.ingress, 'spec.ingress', 'from', draft);
  showRules(rulesOf.egress, 'spec.egress', 'to', draft);
}

/** Which pods the policy is for; `<none> (Allowing the specific traffic to all pods in this namespace)` is all of them. */
function showPodSelector(text: string, draft: Draft): void {
  const selector = /^PodSelector:\s+(.*)/.exec(text)?.[1];
  if (selector !== undefined) draft.show('spec.podSelector', labelSelectorJson(selector.replace(/^<none>.*/, '')) ?? {});
}

function showRules(blocks: readonly (readonly Line[])[] | undefined, path: string, peersField: 'from' | 'to', draft: Draft): void {
  if (blocks === undefined) return;
  const isolated = blocks.some((block) => block.some(({ text }) => text.includes('Selected pods are isolated')));
  draft.show(path, isolated ? [] : blocks.filter((block) => block.length > 0).map((block) => ruleOf(block, peersField)));
}

/** A rule as far as its lines were read. */
interface Rule {
  readonly ports: JsonObject[];
  readonly peers: Record<string, Json>[];
  /** The `except` of the last ipBlock. */
  except?: string[];
}

function ruleOf(lines: readonly Line[], peersField: 'from' | 'to'): JsonObject {
  const rule: Rule = { ports: [], peers: [] };
  for (const { text } of lines) {
    const [, key = '', value = ''] = /^([\w ]+):\s*(.*)/.exec(text.trim()) ?? [];
    own(RULE_LINES, key)?.(value, rule);
  }
  const { ports, peers } = rule;
  return { ...(ports.length === 0 ? {} : { ports }), ...(peers.length === 0 ? {} : { [peersField]: peers }) };
}

/** What each line adds to its rule. `<any>` stands for a rule that does not limit ports or peers. */
const RULE_LINES: Readonly<Record<string, (value: string, rule: Rule) => void>> = {
  'To Port'(value, { ports }) {
    const [port = '', protocol] = value.split('/');
    if (!value.startsWith('<any>')) ports.push(withoutUndefined({ port: portOf(port) ?? port, protocol }));
  },
  'To Port Range'(value, { ports }) {
    const [range = '', protocol] = value.split('/');
    const [port, endPort] = range.split('-').map(integer);
    if (port !== undefined && endPort !== undefined) ports.push(withoutUndefined({ port, endPort, protocol }));
  },
  From: beginPeer,
  To: beginPeer,
  PodSelector(value, { peers }) {
    const peer = peers.at(-1);
    if (peer !== undefined) peer['podSelector'] = labelSelectorJson(value) ?? {};
  },
  NamespaceSelector(value, { peers }) {
    const peer = peers.at(-1);
    if (peer !== undefined) peer['namespaceSelector'] = labelSelectorJson(value) ?? {};
  },
  CIDR(value, rule) {
    rule.except = [];
    const peer = rule.peers.at(-1);
    if (peer !== undefined) peer['ipBlock'] = { cidr: value, except: rule.except };
  },
  Except(value, { except }) {
    if (except !== undefined && given(value) !== undefined) append(except, membersOf(value));
  },
};

function beginPeer(value: string, { peers }: Rule): void {
  if (!value.startsWith('<any>')) peers.push({});
}

function membersOf(text: string): readonly string[] {
  return text.split(',').map((member) => member.trim());
}
