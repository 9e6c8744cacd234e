import type { ObjectRef } from '../../../model/kube-object.ts';
import { resourceNamed, resourceOfKind } from '../../../model/resources.ts';
import { kindOf } from '../kind-of.ts';
import type { Vocabulary } from '../../survey/vocabulary.ts';
import type { KubectlCommand } from './kubectl-command.ts';
import { isWrite } from './kubectl-command.ts';
import type { Manifest } from './manifests.ts';
import { isSameFile, manifestRef } from './manifests.ts';
import { subjectIn } from '../refusals/error-subject.ts';

/** A command that failed, with the words of one failure and the manifest they name. */
export interface FailedCommand {
  readonly line: string;
  readonly command: KubectlCommand;
  readonly text: string;
  readonly file: string | undefined;
}

/** The object that the words name; where they name only a kind, the one of that kind in the manifest; else the manifest itself. */
export function refusedObject(
  { line, command, text, file }: FailedCommand,
  manifests: readonly Manifest[],
  vocabulary: Vocabulary,
): ObjectRef {
  const eviction = /\/namespaces\/([^/\s]{1,253})\/pods\/([^/\s]{1,253})\/eviction/.exec(line);
  if (eviction !== null) return { kind: 'Pod', namespace: eviction[1] ?? '', name: eviction[2] ?? '' };
  const subject = subjectIn(text, vocabulary);
  const kind = subject === undefined ? undefined : kindOf(subject.resource);
  const where = subject?.namespace ?? vocabulary.phrase('error-namespace', text)?.captured.namespace ?? command.namespace;
  const declared = declaredIn(file, manifests).filter(({ ref }) => kind === undefined || ref.kind === kind);
  if (kind !== undefined && subject?.name !== undefined)
    return inNamespace(kind, subject.name, where ?? declared.find(({ ref }) => ref.name === subject.name)?.ref.namespace ?? 'default');
  const [only] = declared;
  if (only !== undefined)
    return only.ref.namespace === undefined && where !== undefined ? inNamespace(only.ref.kind, only.ref.name, where) : only.ref;
  const [word, name] = command.words;
  const named = word === undefined ? undefined : resourceNamed(word)?.kind;
  if (named !== undefined && name !== undefined && isWrite(command)) return inNamespace(named, name, where ?? 'default');
  return file === undefined ? { kind: 'Cluster', name: command.context ?? 'cluster' } : manifestRef(file);
}

/** The object a manifest was to declare, as far as that can be told. */
export function manifestObject({ command, text, file }: FailedCommand, manifests: readonly Manifest[], vocabulary: Vocabulary): ObjectRef {
  const subject = subjectIn(text, vocabulary);
  const first = declaredIn(file, manifests).find(({ ref }) => subject === undefined || ref.kind === kindOf(subject.resource));
  if (subject?.name !== undefined)
    return inNamespace(kindOf(subject.resource), subject.name, subject.namespace ?? command.namespace ?? 'default');
  return first?.ref ?? (file === undefined ? { kind: 'Cluster', name: command.context ?? 'cluster' } : manifestRef(file));
}

function declaredIn(file: string | undefined, manifests: readonly Manifest[]): readonly Manifest[] {
  return file === undefined ? [] : manifests.filter((manifest) => isSameFile(manifest.file, file));
}

/** Names an object in a namespace, or without one where its kind has none. */
export function inNamespace(kind: string, name: string, namespace: string): ObjectRef {
  return resourceOfKind(kind)?.namespaced === false ? { kind, name } : { kind, namespace, name };
}
