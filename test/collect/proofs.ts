import type { FactKind } from '../../src/model/fact-kinds.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { formatRef } from '../../src/model/kube-object.ts';
import { evidenceOf } from '../support/collected.ts';

/** What each fact of a kind is about, where that was read, and the words that prove it. */
export async function proofs(kind: FactKind, ...objects: readonly KubeObject[]): Promise<readonly string[]> {
  const { facts } = await evidenceOf(objects);
  return facts.filter((fact) => fact.kind === kind).map(({ about, source, quote }) => `${formatRef(about)} | ${source} | ${quote}`);
}
