import type { JsonObject } from '../../base/json.ts';
import { asNumber, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { CLIENT_ANSWER } from '../../model/record-kinds.ts';
import type { RefusedDocument } from '../../report/simulation/run-text.ts';
import type { Cluster } from '../../simulator/index.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { PlacedDocument } from './manifest-scenario.ts';

/** What kubectl printed for each document. */
export type AnswersByDocument = ReadonlyMap<JsonObject, KubeObject>;

/** The answers to the documents that were applied last. What was applied before them are the namespaces they need. */
export async function answersTo(cluster: Cluster, documents: readonly JsonObject[]): Promise<AnswersByDocument> {
  const answers = documents.length === 0 ? undefined : await cluster.reader().list(CLIENT_ANSWER, {});
  const own = answers?.ok === true ? answers.value.slice(-documents.length) : [];
  return new Map(own.flatMap((answer, index) => (documents[index] === undefined ? [] : [[documents[index], answer] as const])));
}

/** The documents that were not accepted, where they stand, and what kubectl printed for each. */
export function refusalsIn(answers: AnswersByDocument, documents: readonly PlacedDocument[], cluster: Cluster): readonly RefusedDocument[] {
  return documents.flatMap(({ file, line, places: { of }, object }): readonly RefusedDocument[] => {
    const spec = answers.get(object)?.['spec'];
    const said = asText(dig(spec, 'output')) ?? '';
    if (asNumber(dig(spec, 'exitCode')) === 0 || said === '') return [];
    const fields = fieldsIn(said);
    const places = fields.map((field) => ({ field, line: of(field)?.line ?? line }));
    return [{ file, line: places[0]?.line ?? line, fields: places, said, addedKind: isAdded(object, cluster) }];
  });
}

/** kubectl fails where a document is rejected. Whether a cluster has the kinds that somebody added to Kubernetes is not known. */
export function codeOfRefusals(refusals: readonly RefusedDocument[]): ExitCode {
  if (refusals.length === 0) return EXIT.healthy;
  return refusals.every(({ addedKind }) => addedKind) ? EXIT.inconclusive : EXIT.causeFound;
}

/** Of a group of its own, which Kubernetes itself does not serve in any version. */
function isAdded(document: JsonObject, { server }: Cluster): boolean {
  const group = /^([^/]*)\//.exec(asText(document['apiVersion']) ?? '')?.[1] ?? '';
  return group.includes('.') && !server.resources.all().some((resource) => resource.group === group);
}

/** Paths of fields that an answer names: `spec.containers[0].image: Required value`, `unknown field "spec.contaners"`. */
function fieldsIn(said: string): readonly string[] {
  const found = new Set<string>();
  for (const line of said.slice(0, 20_000).split('\n')) {
    for (const [, field = ''] of line.matchAll(/unknown field "([^"]{1,300})"/g)) found.add(field);
    const [, field] = /(?:^\* |is invalid: )([a-z][\w.[\]/-]{0,300}): /i.exec(line) ?? [];
    if (field !== undefined) found.add(field);
  }
  return [...found].slice(0, 20);
}
