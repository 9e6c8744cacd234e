import { PodcheckError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../base/json.ts';
import type { DocumentPlaces } from '../../base/yaml/document-places.ts';
import { documentPlaces } from '../../base/yaml/document-places.ts';
import { parseKubeYaml } from '../../base/yaml/kube-yaml.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Scenario, ScenarioStep } from '../../model/scenario.ts';
import type { ManifestText } from '../diagnose/manifest-files.ts';
import { isManifestPlace, textOf } from '../diagnose/manifest-files.ts';
import { refuseTooManyPods } from '../diagnose/pods-asked-for.ts';
import { assumedPrograms } from './assumed-programs.ts';

/** A document of a manifest, and where it begins. */
export interface PlacedDocument {
  readonly file: string;
  /** Counts from 1; of a List the line of the List. */
  readonly line: number;
  readonly object: JsonObject;
  /** Where its fields stand. */
  readonly places: DocumentPlaces;
}

/** The documents of manifests, in order. Throws a PodcheckError (bad-input) naming file and line of what cannot be read. */
export function readManifests(texts: readonly ManifestText[]): readonly PlacedDocument[] {
  const documents = texts.flatMap(({ file, text }) => documentsIn(text, file));
  if (documents.length === 0)
    throw new PodcheckError(
      'bad-input',
      `${texts.map(({ file }) => file).join(', ')}: no objects passed to apply`,
      'write at least one object with apiVersion, kind and metadata.name',
    );
  for (const { file, line, object } of documents) refuseTooManyPods(`${file}:${line}`, object);
  return documents;
}

/** Whether a word names a file or folder of Kubernetes objects, or stdin, and not a scenario. */
export async function isManifest(word: string): Promise<boolean> {
  if (await isManifestPlace(word)) return true;
  if (!/\.(ya?ml|json)$/.test(word)) return false;
  const { documents } = parseKubeYaml(await textOf(word), word);
  return documents.length > 0 && documents.every(({ value }) => asText(dig(value, 'kind')) !== undefined);
}

/** The namespaces documents go to: their own, or the one that is given. */
export function namespacesOf(documents: readonly PlacedDocument[], namespace: string | undefined): readonly string[] {
  const own = new Set(
    documents.filter(({ object }) => object['kind'] === 'Namespace').map(({ object }) => asText(dig(object, 'metadata', 'name'))),
  );
  const needed = new Set(documents.map(({ object }) => asText(dig(object, 'metadata', 'namespace')) ?? namespace ?? 'default'));
  return [...needed].filter((name) => !own.has(name));
}

/** A scenario that applies manifests; `made` are namespaces and `storage` objects made for them before. */
export function manifestScenario(
  documents: readonly PlacedDocument[],
  {
    preset,
    namespace,
    made,
    storage = [],
  }: {
    readonly preset: string;
    readonly namespace: string | undefined;
    readonly made: readonly string[];
    readonly storage?: readonly JsonObject[];
  },
): Scenario {
  const files = [...new Set(documents.map(({ file }) => file))];
  const common = { atMilliseconds: undefined, place: files[0] ?? '' } as const;
  const first = [...made.map(namespaceNamed), ...storage];
  const before: readonly ScenarioStep[] =
    first.length === 0
      ? []
      : [
          { do: 'apply', documents: first, namespace: undefined, create: false, ...common },
          { do: 'wait', ...common },
        ];
  const steps = files.map((file): ScenarioStep => ({
    do: 'apply',
    documents: documents.filter((one) => one.file === file).map(({ object }) => object),
    namespace,
    create: false,
    manifest: { file },
    atMilliseconds: undefined,
    place: file,
  }));
  return {
    id: files.join(' '),
    title: `Result of applying ${files.join(', ')}`,
    cluster: { preset, configuration: {} },
    setup: assumedPrograms(documents.map(({ object }) => object)).map((fault) => ({ fault: { ...fault }, place: common.place })),
    steps: [...before, ...steps],
    untilMilliseconds: undefined,
    expect: undefined,
    cure: [],
  };
}

/** The documents as objects in the namespaces they go to, as far as they are objects. */
export function wantedObjects(documents: readonly PlacedDocument[], namespace: string | undefined): readonly KubeObject[] {
  return documents.flatMap(({ object }): readonly KubeObject[] => {
    const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
    const [apiVersion, kind, name] = [asText(object['apiVersion']), asText(object['kind']), asText(metadata['name'])];
    if (apiVersion === undefined || kind === undefined || name === undefined) return [];
    const place = metadata['namespace'] === undefined && namespace !== undefined ? { namespace } : {};
    return [{ ...object, apiVersion, kind, metadata: { ...metadata, ...place, name } }];
  });
}

function namespaceNamed(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

function documentsIn(text: string, file: string): readonly PlacedDocument[] {
  const { documents, errors } = parseKubeYaml(text, file);
  const [error] = errors;
  if (error !== undefined)
    throw new PodcheckError(
      'bad-input',
      `${error.file}:${error.line}: ${error.message}`,
      'correct the YAML or JSON; kubectl rejects it too',
    );
  return documents.flatMap(({ value, line }) => {
    if (!isJsonObject(value))
      throw new PodcheckError('bad-input', `${file}:${line}: expected an object`, 'each document needs apiVersion, kind and metadata');
    if (asText(value['kind']) === undefined)
      throw new PodcheckError('bad-input', `${file}:${line}: Object 'Kind' is missing`, 'add kind to the document; kubectl rejects it too');
    const places = documentPlaces(text, line);
    if (value['kind'] !== 'List') return [{ file, line, object: value, places: places() }];
    return asList(value['items']).flatMap((object, index) =>
      isJsonObject(object) ? [{ file, line, object, places: places(`items[${index}]`) }] : [],
    );
  });
}
