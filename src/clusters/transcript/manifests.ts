import type { JsonObject } from '../../base/json.ts';
import { asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { resourceOfKind } from '../../model/resources.ts';
import { parseKubeYaml } from '../../base/yaml/kube-yaml.ts';
import { concealManifest } from '../conceal-secret.ts';
import { membersOf } from './documents.ts';

/** A document of a manifest as a record has it. */
export interface ManifestDocument {
  /** The document's own namespace, or the command's. */
  readonly namespace?: string;
  readonly spec: JsonObject;
}

/** Whether a text is a manifest of Kubernetes at all: other files are shown in transcripts too. */
export function looksLikeManifest(text: string): boolean {
  return /^(?:- |\s{0,4}")?(?:apiVersion|kind)"?:/m.test(text.slice(0, 64 * 1024));
}

const NOTHING: ReturnType<typeof parseKubeYaml> = { documents: [], errors: [] };

/**
 * Whether something is indented, where something has to be: a page or a chat that takes away all margins leaves a text of which no line is
 * wrong, but nothing can be told.
 */
function hasMargins(text: string): boolean {
  return /^[ \t{[]/m.test(text) || !/^(?:metadata|spec|data):[ \t]*$/m.test(text);
}

/** The documents of a manifest, in order; one that cannot be parsed has its error with the line in the file. */
export function readManifest(text: string, file: string, namespace: string | undefined): readonly ManifestDocument[] {
  const { documents, errors } = hasMargins(text) ? parseKubeYaml(text, file) : NOTHING;
  const read = documents.flatMap(({ value, line }) =>
    value === undefined ? [] : membersOf(value).map((object) => ({ line, object: concealManifest(object) as KubeObject })),
  );
  const records = [
    ...read.map(({ line, object }) => {
      const namespaced = resourceOfKind(object.kind)?.namespaced !== false;
      const own = asText(dig(object, 'metadata', 'namespace')) ?? (namespaced ? namespace : undefined);
      return { line, record: { ...(own === undefined ? {} : { namespace: own }), spec: { file, object } } };
    }),
    ...errors.map(({ line, message, seems }) => ({
      line,
      record: {
        ...(namespace === undefined ? {} : { namespace }),
        spec: { file, error: { line, message, ...(seems === undefined ? {} : { seems }) } },
      },
    })),
  ];
  return records.toSorted((a, b) => a.line - b.line).map(({ record }) => record);
}
