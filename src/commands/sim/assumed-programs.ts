import type { JsonObject } from '../../base/json.ts';
import { asList, asText, digAt, isJsonObject } from '../../base/json.ts';
import { assumedBehaviour } from '../../simulator/index.ts';

type Assumed = NonNullable<ReturnType<typeof assumedBehaviour>>;
type Listening = NonNullable<Assumed['listens']>[number];

interface ProgramFault {
  readonly fault: 'part';
  readonly part: 'behaviour';
  readonly what: string;
  readonly with: { readonly listens: readonly JsonObject[] };
}

/** How programs are taken to behave of which nothing is known, as faults of a scenario. */
export function assumedPrograms(documents: readonly JsonObject[]): readonly ProgramFault[] {
  const listens = new Map<string, Listening[]>();
  for (const container of documents.flatMap(containersIn)) {
    const behaviour = assumedBehaviour(container);
    const what = `${asText(container['image']) ?? ''}#${asText(container['name']) ?? ''}`;
    if (behaviour !== undefined) listens.set(what, [...(listens.get(what) ?? []), ...(behaviour.listens ?? [])]);
  }
  return [...listens].map(([what, ports]) => ({
    fault: 'part' as const,
    part: 'behaviour' as const,
    what,
    with: { listens: [...new Map(ports.map((one) => [`${one.port} ${one.protocol ?? 'TCP'}`, { ...one }])).values()] },
  }));
}

function containersIn(object: JsonObject): readonly JsonObject[] {
  const paths = [['spec'], ['spec', 'template', 'spec'], ['spec', 'jobTemplate', 'spec', 'template', 'spec']];
  return paths.flatMap((path) =>
    ['initContainers', 'containers'].flatMap((field) => asList(digAt(object, [...path, field])).filter(isJsonObject)),
  );
}
