import type { Line } from '../clean-lines.ts';
import { prefixedLine } from '../log-lines.ts';
import type { Reading } from '../reading.ts';

/** What stern prints when it begins and stops to follow a container: `+ shop › web-1 › app`. Source: stern's stern/tail.go. */
const FOLLOWED = /^\s{0,4}[+-] (?:([a-z0-9][\w.-]{0,252}) › )?([a-z0-9][\w.-]{0,252}) › ([a-z0-9][\w.-]{0,252})\s{0,4}$/;
/** Lines kept of each container's log: its end. */
const MAX_LINES = 5000;

/**
 * Takes lines of logs that name their pod and container in front, as `kubectl logs --prefix` and stern print them, also without the
 * command. Gives all other lines.
 */
export function withoutPrefixed(lines: readonly Line[], { gathering }: Reading): readonly Line[] {
  const followed = new Map([...inFront(lines), ...lines.flatMap(({ text }) => followedBy(text))]);
  const logs = new Map<string, Container & { readonly lines: string[] }>();
  const rest = lines.filter(({ number, text }) => {
    const found = prefixedLine(text) ?? ofLoki(text) ?? ofStern(text, followed);
    if (found === undefined && !FOLLOWED.test(text)) return true;
    gathering.explain(number, 'line of a log');
    if (found === undefined) return false;
    const { rest: words, ...container } = found;
    const key = Object.values(container).join(' ');
    const log = logs.get(key) ?? { ...container, lines: [] };
    logs.set(key, log);
    log.lines.push(words);
    return false;
  });
  for (const { namespace, pod, container, lines: own } of logs.values())
    gathering.logs.push({
      ...(namespace === undefined ? {} : { namespace }),
      of: { by: 'pod', pod },
      container,
      all: false,
      previous: false,
      lines: own.slice(-MAX_LINES),
      filtered: true,
      segment: gathering.segment,
    });
  return rest;
}

interface Container {
  readonly namespace?: string;
  readonly pod: string;
  readonly container: string;
}

function followedBy(text: string): readonly (readonly [string, Container])[] {
  const [, namespace, pod, container] = FOLLOWED.exec(text) ?? [];
  if (pod === undefined || container === undefined) return [];
  const named = { ...(namespace === undefined ? {} : { namespace }), pod, container };
  return [[Object.values(named).join(' '), named]];
}

/** A pod of a workload by the name that its controller gave it, and a container, before what a log has. Source: k8s.io/apimachinery util/rand. */
const FRONT = /^([a-z0-9][a-z0-9.-]{0,240}-(?:[bcdfghjklmnpqrstvwxz2456789]{5}|\d{1,4})) ([a-z0-9][a-z0-9-]{0,62}) (?=\S)/;

/** What begins several lines, where nothing says that it was followed. */
function inFront(lines: readonly Line[]): readonly (readonly [string, Container])[] {
  const seen = new Map<string, number>();
  const found = new Map<string, Container>();
  for (const { text } of lines) {
    const [front, pod, container] = FRONT.exec(text) ?? [];
    if (front === undefined || pod === undefined || container === undefined) continue;
    const times = (seen.get(front) ?? 0) + 1;
    seen.set(front, times);
    // Much else is numbered like the pods of a StatefulSet.
    if (times > (/-\d{1,4}$/.test(pod) ? 2 : 1)) found.set(front.trimEnd(), { pod, container });
  }
  return [...found];
}

/** What Loki's clients print before a line: its time and the labels of its stream. Source: grafana/loki pkg/logcli/output/default.go. */
const STREAM = /^(?:\S{10,40} )?\{([^{}]{0,2000})\}\s{1,8}/;

const LABELS: readonly RegExp[] = [
  /(?:^|[\s,])namespace="([\w.-]{1,253})"/,
  /(?:^|[\s,])pod="([\w.-]{1,253})"/,
  /(?:^|[\s,])container="([\w.-]{1,253})"/,
];

/** `2026-11-20T10:00:00Z {container="app", namespace="shop", pod="web-1"} listening`. */
function ofLoki(text: string): (Container & { readonly rest: string }) | undefined {
  const [front = '', labels = ''] = STREAM.exec(text) ?? [];
  const [namespace, pod, container] = LABELS.map((label) => label.exec(labels)?.[1]);
  if (pod === undefined || container === undefined) return undefined;
  return { ...(namespace === undefined ? {} : { namespace }), pod, container, rest: text.slice(front.length) };
}

/** `web-1 app listening`, where `web-1 › app` was followed; of all namespaces `shop web-1 app listening`. */
function ofStern(text: string, followed: ReadonlyMap<string, Container>): (Container & { readonly rest: string }) | undefined {
  if (followed.size === 0) return undefined;
  const words = text.split(' ', 3);
  for (const count of [2, 3]) {
    const front = words.slice(0, count).join(' ');
    const container = followed.get(front);
    if (container !== undefined) return { ...container, rest: text.slice(front.length + 1) };
  }
  return undefined;
}
