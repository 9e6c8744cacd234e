import { PodcheckError } from '../../base/errors.ts';
import { asText, dig } from '../../base/json.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef } from '../../model/kube-object.ts';
import type { Problem } from '../../report/pipeline/check.ts';
import { objectWords } from '../../report/format/object-words.ts';
import type { CommandContext } from '../context.ts';
import type { ManifestText } from '../diagnose/manifest-files.ts';
import { manifestTexts } from '../diagnose/manifest-files.ts';
import { runProgram } from '../run-program.ts';
import type { PlacedDocument } from '../sim/manifest-scenario.ts';
import { readManifests } from '../sim/manifest-scenario.ts';
import { placeOf } from './cause-place.ts';

export interface ManifestOptions {
  readonly file?: readonly string[];
  readonly kustomize?: readonly string[];
  readonly recursive?: boolean;
}

/** The documents of files, folders, stdin and kustomizations. Throws a PodcheckError (bad-input) with file and line of what is no manifest. */
export async function gatherManifests(options: ManifestOptions, context: CommandContext): Promise<readonly PlacedDocument[]> {
  const texts = [
    ...(await manifestTexts(options.file ?? [], { stdin: context.stdin, recursive: options.recursive === true })),
    ...(await Promise.all((options.kustomize ?? []).map((folder) => kustomized(folder, context)))),
  ];
  for (const text of texts) refuseTemplate(text);
  return readManifests(texts);
}

/** What kubectl makes of a kustomization: positions are those of its output. */
async function kustomized(folder: string, { workingFolder, env, signal }: CommandContext): Promise<ManifestText> {
  const { ended, code, output } = await runProgram(['kubectl', 'kustomize', folder], {
    folder: workingFolder,
    env,
    signal,
    credentials: false,
  });
  if (ended === 'not-started')
    throw new PodcheckError('unsupported', `-k needs kubectl: ${output}`, `kustomize build ${folder} | podcheck preflight -f -`);
  if (ended !== 'exit' || code !== 0)
    throw new PodcheckError('bad-input', `kubectl kustomize ${folder}: ${output.trim() || 'it failed'}`, 'correct the kustomization');
  return { file: folder, text: output };
}

/** A value or a line that is an action of Helm's templates: no YAML of a manifest begins so, outside of quotes and text blocks. */
const ACTION = /^\s*(?:-\s+)?(?:[\w./"'-]+:\s*)?\{\{-?\s*[\w.$(/"`]/;
/** Where a text block begins: what it holds may be a template of somebody else's. */
const BLOCK = / [|>][-+\d]{0,2}$/;

function refuseTemplate({ file, text }: ManifestText): void {
  let block: number | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const indent = line.length - line.trimStart().length;
    if (block !== undefined && line.trim() !== '' && indent <= block) block = undefined;
    if (block !== undefined) continue;
    if (ACTION.test(line))
      throw new PodcheckError(
        'bad-input',
        `${file}:${index + 1}: a template that was not rendered: ${line.trim().slice(0, 80)}`,
        'render it first: helm template CHART | podcheck preflight -f -',
      );
    const comment = line.indexOf(' #');
    if (BLOCK.test((comment < 0 ? line : line.slice(0, comment)).trimEnd())) block = indent;
  }
}

/** Objects that are in the manifests twice: kubectl applies both, and the last one wins. */
export function duplicates(documents: readonly PlacedDocument[], namespace: string | undefined): readonly Problem[] {
  const seen = new Map<string, PlacedDocument>();
  return documents.flatMap((document): readonly Problem[] => {
    const ref = documentRef(document, namespace);
    const group = (asText(document.object['apiVersion']) ?? '').split('/').slice(0, -1).join('/');
    const key = `${group} ${formatRef(ref)}`;
    const first = seen.get(key);
    seen.set(key, document);
    if (first === undefined) return [];
    const says = `${objectWords(ref)} is in the manifests twice, first in ${first.file}:${first.line}. kubectl applies both; the last one counts.`;
    return [
      {
        rule: 'podcheck/duplicate-object',
        level: 'warning',
        title: 'An object is in the manifests twice',
        says,
        fix: [{ say: 'Remove one of them.' }],
        evidence: [],
        subject: ref,
        object: ref,
        place: placeOf(document),
        references: [],
      },
    ];
  });
}

/** The object of a document, in the namespace it goes to; of a kind without namespaces where the manifest names none. */
export function documentRef({ object }: PlacedDocument, namespace: string | undefined): ObjectRef {
  const own = asText(dig(object, 'metadata', 'namespace')) ?? namespace;
  return {
    kind: asText(object['kind']) ?? '',
    ...(own === undefined ? {} : { namespace: own }),
    name: asText(dig(object, 'metadata', 'name')) ?? '',
  };
}
