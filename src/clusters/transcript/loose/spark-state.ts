import type { JsonObject } from '../../../base/json.ts';
import { withoutUndefined } from '../../../base/without-undefined.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Line } from '../clean-lines.ts';
import { Draft, integer } from '../draft.ts';

const BEGINS = /^\s{0,40}pod name: ([a-z0-9][a-z0-9.-]{0,252})\s{0,8}$/;
const FIELD = /^\s{0,40}([a-z][a-z ]{1,40}): ?(.{0,2000})$/;
const MAX_LINES = 80;

export interface SparkState {
  readonly object: KubeObject;
  readonly next: number;
}

/**
 * A pod as Spark prints it whenever its state changes. Undefined when none begins here. Source: KubernetesUtils.scala (formatPodState) of
 * Apache Spark.
 */
export function sparkState(lines: readonly Line[], index: number): SparkState | undefined {
  const name = BEGINS.exec(lines[index]?.text ?? '')?.[1];
  if (name === undefined) return undefined;
  const read = fieldsAfter(lines, index + 1);
  return read.own.has('phase') ? { object: podWith(name, read.own, read.containers.map(statusOf)), next: read.next } : undefined;
}

interface Fields {
  readonly own: ReadonlyMap<string, string>;
  /** Those of each container; what follows the name of one is of it. */
  readonly containers: readonly ReadonlyMap<string, string>[];
  readonly next: number;
}

function fieldsAfter(lines: readonly Line[], start: number): Fields {
  const own = new Map<string, string>();
  const containers: Map<string, string>[] = [];
  let next = start;
  for (; next - start < MAX_LINES; next++) {
    const [, key, value = ''] = FIELD.exec(lines[next]?.text ?? '') ?? [];
    if (key === undefined) break;
    if (key === 'container name') containers.push(new Map());
    (containers.at(-1) ?? own).set(key, value.trim());
  }
  return { own, containers, next };
}

function podWith(name: string, fields: ReadonlyMap<string, string>, statuses: readonly JsonObject[]): KubeObject {
  const draft = new Draft('Pod', name, shown(fields.get('namespace'))).show('status.phase', fields.get('phase'));
  if (fields.has('node name')) draft.show('spec.nodeName', shown(fields.get('node name')));
  if (statuses.length > 0)
    draft
      .set('status.containerStatuses', statuses)
      .covers('status.containerStatuses.name', 'status.containerStatuses.image', 'status.containerStatuses.state');
  return draft.build();
}

function statusOf(fields: ReadonlyMap<string, string>): JsonObject {
  return {
    name: fields.get('container name') ?? '<container>',
    image: shown(fields.get('container image')) ?? '<image>',
    ready: false,
    state: stateOf(fields),
  };
}

function stateOf(fields: ReadonlyMap<string, string>): JsonObject {
  switch (fields.get('container state')) {
    case 'waiting':
      return { waiting: withoutUndefined({ reason: shown(fields.get('pending reason')) }) };
    case 'running':
      return { running: {} };
    case 'terminated':
      return {
        terminated: withoutUndefined({ exitCode: integer(fields.get('exit code') ?? ''), reason: shown(fields.get('termination reason')) }),
      };
    default:
      return {};
  }
}

/** What is not known is printed as N/A. */
function shown(value: string | undefined): string | undefined {
  return value === undefined || value === '' || value === 'N/A' ? undefined : value;
}
