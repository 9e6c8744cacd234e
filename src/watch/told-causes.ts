import { digestOf } from '../base/digest.ts';
import { formatInstant, parseInstant } from '../base/instant.ts';
import { parsedJson } from '../base/parsed-json.ts';
import type { Shape } from '../base/json-shape.ts';
import { fitsShape } from '../base/json-shape.ts';
import { shorten } from '../base/text.ts';
import { withoutUndefined } from '../base/without-undefined.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import type { StageId } from '../model/stage.ts';
import { STAGE_IDS } from '../model/stage.ts';
import type { Course } from '../model/watch-change.ts';

/** Longer titles than any rule has. */
const TITLE_CHARACTERS = 200;

const REF = { kind: 'text', name: 'text', '?namespace': 'text' } as const;
/** What tells a cause; fields that a later version adds are left aside. */
export const TOLD = {
  fingerprint: 'text',
  rule: 'text',
  '?stage': STAGE_IDS,
  title: 'text',
  workload: REF,
  object: REF,
  since: 'text',
  foundAt: 'text',
  pods: 'number',
  times: 'number',
} as const satisfies Shape;

/** Where the cause of a workload is in the data of a ConfigMap: one key for each workload. */
export function toldKey({ kind, namespace = '', name }: ObjectRef): string {
  const key = `${kind}.${namespace}.${name}`;
  return KEY.test(key) ? key : digestOf(key);
}

/** Source: staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go (IsConfigMapKey). */
const KEY = /^[-._a-zA-Z0-9]{1,253}$/;

/** A cause that was told, without what a look at the workload brings again. */
export function toldText({ cause, since, foundAt, pods, times }: Course): string {
  const { fingerprint, rule, stage, title, workload, object } = cause;
  return JSON.stringify({
    fingerprint,
    rule,
    stage,
    title: shorten(title, TITLE_CHARACTERS),
    workload,
    object,
    since: formatInstant(since),
    foundAt: formatInstant(foundAt),
    pods,
    times,
  });
}

/** What `toldText` wrote; undefined for what somebody else wrote there. */
export function toldCourse(text: string): Course | undefined {
  const told = parsedJson(text);
  if (!fitsShape(told, TOLD)) return undefined;
  const { since, foundAt, pods, times, stage, title, ...cause } = told as unknown as Told;
  const [begun, found] = [parseInstant(since), parseInstant(foundAt)];
  if (begun === undefined || found === undefined) return undefined;
  const { fingerprint, rule } = cause;
  const [workload, object] = [refIn(cause.workload), refIn(cause.object)];
  const unread = { fix: [], evidence: [], needs: [], stages: [] };
  return {
    cause: withoutUndefined({ fingerprint, rule, stage: stage ?? undefined, title, says: title, workload, object, ...unread }),
    since: begun,
    foundAt: found,
    pods,
    times,
    reasons: [],
  };
}

interface Told {
  readonly fingerprint: string;
  readonly rule: string;
  readonly stage?: StageId | null;
  readonly title: string;
  readonly workload: ObjectRef;
  readonly object: ObjectRef;
  readonly since: string;
  readonly foundAt: string;
  readonly pods: number;
  readonly times: number;
}

function refIn({ kind, namespace, name }: ObjectRef): ObjectRef {
  return withoutUndefined({ kind, namespace: namespace ?? undefined, name });
}
