import { parseInstant } from '../../../base/instant.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { NODE_SERVICE } from '../../../model/record-kinds.ts';
import type { FactSink, Proof } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';

/** What systemd said of one service of one node, told last. */
export interface NodeService {
  readonly node: string;
  readonly service: string;
  readonly active: string;
  readonly sub: string | undefined;
  /** Undefined where nobody asked systemd and the journal does not say: a service that writes may run. */
  readonly running: boolean | undefined;
  readonly since: number | undefined;
  readonly lines: readonly string[];
  /** Nobody asked systemd: the state follows from lines of its journal. */
  readonly fromJournal: boolean;
}

/** Where the state of a service was seen, and the text that shows it. `state` is what systemd calls it. */
export function serviceQuote({ node, service, since, fromJournal }: NodeService, state: string, lines: readonly string[] = []): Proof {
  const source = fromJournal ? `journal of ${service} on ${node}` : `systemctl status ${service} on ${node}`;
  return { source, quote: [...(fromJournal && lines.length > 0 ? [] : [state]), ...lines].join('\n').trim(), at: since };
}

/** The services that somebody looked at, but for kubelets and runtimes of nodes without a pod of the target; of two looks the last. */
export async function nodeServices({ survey, request, judged }: Scene): Promise<readonly NodeService[]> {
  const records = await survey.seen(NODE_SERVICE, {});
  const nodes = judged.map((pod) => dig(pod, 'spec', 'nodeName'));
  // A host that is no known node may have another name than its node.
  const isAsked = records.length > 0 && request.target !== undefined && nodes[0] !== undefined;
  const known = isAsked ? await survey.seen('Node', {}) : [];
  const elsewhere = known.map(({ metadata }) => metadata.name).filter((name) => !nodes.includes(name));
  const last = new Map<string, NodeService>();
  for (const record of records) {
    const service = nodeService(record);
    if (service === undefined || (NEEDED.has(service.service) && elsewhere.includes(service.node))) continue;
    last.set(`${service.node} ${service.service}`, service);
  }
  return [...last.values()];
}

/** `node-service` facts; returns the nodes on which a service that pods need does not run. */
export async function serviceFacts(scene: Scene, sink: FactSink): Promise<ReadonlySet<string>> {
  const sick = new Set<string>();
  for (const one of await nodeServices(scene)) {
    const { node, service, active, sub, running, since, lines } = one;
    if (running === false && NEEDED.has(service)) sick.add(node);
    const log = (running ? lines.filter((line) => isTrouble(line) || isTroubleOver(line)) : lines).slice(-LOG_LINES).join('\n');
    const state = `Active: ${active}${sub === undefined ? '' : ` (${sub})`}`;
    sink.fact(
      'node-service',
      { kind: 'Node', name: node },
      {
        service,
        active,
        sub,
        running,
        sinceSeconds: since === undefined ? undefined : Math.max(0, Math.round((scene.survey.now() - since) / 1000)),
        log: log === '' ? undefined : log,
      },
      serviceQuote(one, `${service}.service ${state}`, quotedLines(one)),
    );
  }
  return sick;
}

/** Services without which the pods of a node do not start or are not reached. */
const NEEDED: ReadonlySet<string> = new Set(['kubelet', 'containerd', 'crio', 'cri-o', 'docker', 'cri-docker', 'kube-proxy']);
const LOG_LINES = 20;
const QUOTED_LINES = 3;

/** Of a service that was not asked for its state, only lines can be quoted. */
function quotedLines({ running, fromJournal, lines }: NodeService): readonly string[] {
  const troubles = fromJournal && running === true ? lines.filter(isTrouble) : [];
  const told = troubles.length > 0 ? troubles : lines;
  return running === true && !fromJournal ? [] : told.slice(-QUOTED_LINES);
}

function nodeService(record: KubeObject): NodeService | undefined {
  const spec = dig(record, 'spec');
  const [node, service, active] = [asText(dig(spec, 'node')), asText(dig(spec, 'service')), asText(dig(spec, 'active'))];
  if (node === undefined || service === undefined || active === undefined) return undefined;
  const sub = asText(dig(spec, 'sub'));
  return {
    node,
    service: service.replace(/\.service$/, ''),
    active,
    sub,
    running: active === 'unknown' ? undefined : active === 'active' && (sub === undefined || sub === 'running'),
    since: parseInstant(dig(spec, 'since')),
    lines: asList(dig(spec, 'lines')).map(String),
    fromJournal: dig(spec, 'seen') === 'journal' || active === 'unknown',
  };
}

/** What had failed before may have come about. */
function isTroubleOver(line: string): boolean {
  return /\bsuccessfully\b/i.test(line);
}

/** klog's errors and fatals (`E1120 …`, `F1120 …`), logfmt's, and what says so in plain words. */
function isTrouble(line: string): boolean {
  return (
    /(?:^|\s)[EF]\d{4}\s/.test(line) ||
    /level=(?:error|fatal)/.test(line) ||
    /\b(?:failed|expired|refused|rejected|unauthorized|panic|fatal)\b/i.test(line)
  );
}
