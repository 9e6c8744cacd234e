import type { JsonObject } from '../../base/json.ts';
import { asList, asText, isJsonObject } from '../../base/json.ts';
import type { YamlError } from '../../base/yaml/kube-yaml.ts';
import { parseKubeYaml } from '../../base/yaml/kube-yaml.ts';
import type { Applied } from './kubectl.ts';
import { applyDocument } from './kubectl.ts';
import type { TerminalCommand } from './command.ts';
import type { KubectlSession, TerminalSurroundings } from './kubectl-session.ts';
import { yamlWords } from './yaml-mistakes.ts';

/** One document and what came of it. */
export interface AppliedDocument {
  readonly document: JsonObject;
  readonly applied: Applied;
}

/** `refused`: kubectl's words when nothing was sent; `unreadable` is the mistake in the manifest, if that was why. */
export interface AppliedManifest {
  readonly done: readonly AppliedDocument[];
  readonly refused?: string;
  readonly unreadable?: YamlError;
}

/** `kubectl apply -f`, or `create -f`: reads the manifest, then sends its documents one after the other. */
export function applyManifest(
  { manifest, namespace, create = false }: TerminalCommand & { readonly command: 'apply' },
  session: KubectlSession,
  around: TerminalSurroundings,
): AppliedManifest {
  if (session.trouble !== undefined) return { done: [], refused: session.trouble };
  const read = documentsOf(manifest);
  if (!('documents' in read)) return { done: [], ...read };
  if (read.documents.length === 0) return { done: [], refused: `error: no objects passed to ${create ? 'create' : 'apply'}` };
  return { done: sendDocuments(read.documents, { file: manifest.file, namespace, create, dryRun: false }, session, around) };
}

export interface SendOptions {
  readonly file: string;
  readonly namespace: string | undefined;
  readonly create: boolean;
  readonly dryRun: boolean;
}

/** Each document takes a moment, as it does in a terminal. */
export function sendDocuments(
  documents: readonly JsonObject[],
  options: SendOptions,
  session: KubectlSession,
  around: TerminalSurroundings,
): readonly AppliedDocument[] {
  const { server, credential } = session;
  return documents.map((document) => {
    around.pass(DOCUMENT_MILLISECONDS);
    let late = 0;
    const applied = applyDocument(document, {
      resources: around.server.resources,
      server,
      credential,
      ...options,
      send: (request) => {
        const answer = session.send(request);
        late += around.server.waited;
        return answer;
      },
    });
    around.pass(late);
    return { document, applied };
  });
}

/** A document takes kubectl so long: it asks whether the object is there, and then makes it. Measured beside a real API server. */
const DOCUMENT_MILLISECONDS = 8;

function documentsOf({
  file,
  documents,
  text,
}: (TerminalCommand & { readonly command: 'apply' })['manifest']):
  | { readonly documents: readonly JsonObject[] }
  | { readonly refused: string; readonly unreadable?: YamlError } {
  if (documents !== undefined) return { documents };
  if (text === undefined) return { refused: `error: the path "${file}" does not exist` };
  const parsed = parseKubeYaml(text, file);
  const [error] = parsed.errors;
  if (error !== undefined)
    return { refused: `error: error parsing ${file}: error converting YAML to JSON: ${yamlWords(error)}`, unreadable: error };
  return {
    documents: parsed.documents.flatMap(({ value }) =>
      !isJsonObject(value) ? [] : asText(value['kind']) === 'List' ? asList(value['items']).filter(isJsonObject) : [value],
    ),
  };
}
