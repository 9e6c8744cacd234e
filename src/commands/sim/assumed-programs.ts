import type { JsonObject } from '../../base/json.ts';
import { asList, asNumber, asText, asTextMap, dig, digAt, isJsonObject } from '../../base/json.ts';
import { selects } from '../../collect/serving/service-backends.ts';
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
  for (const { container, forwarded } of documents.flatMap((document) => containersIn(document, documents))) {
    const behaviour = assumedBehaviour(container);
    const what = `${asText(container['image']) ?? ''}#${asText(container['name']) ?? ''}`;
    if (behaviour !== undefined) listens.set(what, [...(listens.get(what) ?? []), ...(behaviour.listens ?? []), ...forwarded]);
  }
  return [...listens].map(([what, ports]) => ({
    fault: 'part' as const,
    part: 'behaviour' as const,
    what,
    with: { listens: [...new Map(ports.map((one) => [`${one.port} ${one.protocol ?? 'TCP'}`, { ...one }])).values()] },
  }));
}

interface Contained {
  readonly container: JsonObject;
  /** Where Services forward to it. */
  readonly forwarded: readonly Listening[];
}

function containersIn(object: JsonObject, documents: readonly JsonObject[]): readonly Contained[] {
  return POD_PATHS.flatMap((path) => {
    const pod = digAt(object, path);
    const [init, main] = ['initContainers', 'containers'].map((field) => asList(dig(pod, 'spec', field)).filter(isJsonObject));
    const isSilent = (main ?? []).every((container) => asList(container['ports']).length === 0);
    const forwarded = isSilent ? forwardedTo(asTextMap(dig(pod, 'metadata', 'labels')), object, documents) : [];
    return [
      ...(init ?? []).map((container) => ({ container, forwarded: [] })),
      ...(main ?? []).map((container, index) => ({ container, forwarded: index === 0 ? forwarded : [] })),
    ];
  });
}

const POD_PATHS = [[], ['spec', 'template'], ['spec', 'jobTemplate', 'spec', 'template']];

/** A program may listen on more ports than its probes ask: where no container declares one, on those that Services forward to. */
function forwardedTo(
  labels: Readonly<Record<string, string>>,
  { metadata }: JsonObject,
  documents: readonly JsonObject[],
): readonly Listening[] {
  const services = documents.filter(
    (document) =>
      document['kind'] === 'Service' &&
      dig(document, 'metadata', 'namespace') === dig(metadata, 'namespace') &&
      selects(asTextMap(dig(document, 'spec', 'selector')), labels),
  );
  return services.flatMap((service) =>
    asList(dig(service, 'spec', 'ports')).flatMap((port) => {
      const number = asNumber(dig(port, 'targetPort') ?? dig(port, 'port'));
      return number === undefined ? [] : [{ port: number }];
    }),
  );
}
