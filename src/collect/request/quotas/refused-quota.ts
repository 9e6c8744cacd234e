import { bigintOf } from '../../../base/number.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import { asText, dig } from '../../../base/json.ts';
import type { ObjectRef } from '../../../model/kube-object.ts';
import type { FactSink, Proof } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import { formatAmount, shortResource } from './quota-math.ts';
import { missingPods } from './shortage.ts';
import type { RefusalWords } from '../refusals/read-refusals.ts';

/**
 * `quota` facts from the words of a refusal: `requested: requests.cpu=500m, used: requests.cpu=900m, limited: requests.cpu=1`.
 * Source: apiserver/pkg/admission/plugin/resourcequota/controller.go (checkRequest, prettyPrint).
 */
export async function quotaFactsOf(
  { by, detail }: RefusalWords,
  about: ObjectRef,
  scene: Scene,
  sink: FactSink,
  proof: Proof,
): Promise<void> {
  const numbers = readNumbers(detail ?? '');
  if (by === undefined || about.namespace === undefined) return;
  const ref = { kind: 'ResourceQuota', namespace: about.namespace, name: by };
  const read = await scene.survey.get(ref);
  const workload = scene.workload(about);
  const refused = { quota: by, refused: `${about.kind}/${about.name}`, refusedName: about.name };
  // Words that were cut off still name the quota.
  if (numbers.length === 0 && !read.ok) sink.fact('quota', ref, { ...refused, exceeded: true }, proof);
  const missing = Math.max(1, (workload === undefined ? undefined : missingPods(workload, scene)) ?? 1);
  for (const { constraint, requested, used, hard } of numbers) {
    const present = read.ok
      ? (asText(dig(read.value, 'spec', 'hard', constraint)) ?? asText(dig(read.value, 'status', 'hard', constraint)))
      : undefined;
    const raised = present !== undefined && isAbove(present, hard) && fits(requested, used, present);
    sink.fact(
      'quota',
      ref,
      {
        ...refused,
        resource: shortResource(constraint),
        constraint,
        hard: raised ? present : hard,
        used,
        requested,
        needed: neededFor(constraint, { requested, used, missing }),
        exceeded: !raised,
      },
      proof,
    );
  }
}

interface QuotaNumbers {
  readonly constraint: string;
  readonly requested: string;
  readonly used: string;
  readonly hard: string;
}

function neededFor(
  constraint: string,
  { requested, used, missing }: { readonly requested: string; readonly used: string; readonly missing: number },
): string | undefined {
  const [more, now] = [parseQuantity(requested), parseQuantity(used)];
  return more === undefined || now === undefined ? undefined : formatAmount(constraint, now + more * bigintOf(missing));
}

function readNumbers(detail: string): readonly QuotaNumbers[] {
  const [requested, rest] = splitAt(detail, ', used: ');
  const [used, limited] = splitAt(rest, ', limited: ');
  const [uses, limits] = [amounts(used), amounts(limited)];
  return [...amounts(requested)].flatMap(([constraint, amount]) => {
    const [use, limit] = [uses.get(constraint), limits.get(constraint)];
    return use === undefined || limit === undefined ? [] : [{ constraint, requested: amount, used: use, hard: limit }];
  });
}

function splitAt(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function amounts(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/(?<![\w./-])([a-z][\w./-]{0,300})=([\w.+-]{1,40})/g)]
      .slice(0, 50)
      .map(([, name = '', amount = '']) => [name, amount]),
  );
}

function isAbove(a: string, b: string): boolean {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  return left !== undefined && right !== undefined && left > right;
}

function fits(requested: string, used: string, hard: string): boolean {
  const [more, now, most] = [parseQuantity(requested), parseQuantity(used), parseQuantity(hard)];
  return more !== undefined && now !== undefined && most !== undefined && more + now <= most;
}
