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
  const evicted = evictedPod(line);
  if (evicted !== undefined) return evicted;
  const subject = subjectIn(text, vocabulary);
  const kind = subject === undefined ? undefined : kindOf(subject.resource);
  const where = subject?.namespace ?? namespaceIn(text, vocabulary) ?? command.namespace;
  const declared = declaredIn(file, manifests).flatMap(({ ref }) => (kind === undefined || ref.kind === kind ? ref : []));
  if (kind !== undefined && subject?.name !== undefined) {
    const same = declared.find(({ name }) => name === subject.name);
    return inNamespace(kind, subject.name, where ?? same?.namespace ?? 'default');
  }
  const [only] = declared;
  if (only !== undefined) return withNamespace(only, where);
  return changedObject(command, where) ?? (file === undefined ? clusterOf(command) : manifestRef(file));
}

function clusterOf({ context }: KubectlCommand): ObjectRef {
  return { kind: 'Cluster', name: context ?? 'cluster' };
}

function namespaceIn(text: string, vocabulary: Vocabulary): string | undefined {
  return vocabulary.phrase('error-namespace', text)?.captured.namespace;
}

function withNamespace(ref: ObjectRef, namespace: string | undefined): ObjectRef {
  return ref.namespace === undefined && namespace !== undefined ? inNamespace(ref.kind, ref.name, namespace) : ref;
}

function evictedPod(line: string): ObjectRef | undefined {
  const [, namespace, name] = /\/namespaces\/([^/\s]{1,253})\/pods\/([^/\s]{1,253})\/eviction/.exec(line) ?? [];
  return namespace === undefined || name === undefined ? undefined : { kind: 'Pod', namespace, name };
}

/** The object that a command names and would have changed. */
function changedObject(command: KubectlCommand, namespace = 'default'): ObjectRef | undefined {
  const [word, name] = command.words;
  const kind = word === undefined ? undefined : resourceNamed(word)?.kind;
  return kind !== undefined && name !== undefined && isWrite(command) ? inNamespace(kind, name, namespace) : undefined;
}

/** The object a manifest was to declare, as far as that can be told. */
export function manifestObject({ command, text, file }: FailedCommand, manifests: readonly Manifest[], vocabulary: Vocabulary): ObjectRef {
  const subject = subjectIn(text, vocabulary);
  const first = declaredIn(file, manifests).find(({ ref }) => subject === undefined || ref.kind === kindOf(subject.resource));
  if (subject?.name !== undefined)
    return inNamespace(kindOf(subject.resource), subject.name, subject.namespace ?? command.namespace ?? 'default');
  return first?.ref ?? (file === undefined ? clusterOf(command) : manifestRef(file));
}

function declaredIn(file: string | undefined, manifests: readonly Manifest[]): readonly Manifest[] {
  return file === undefined ? [] : manifests.filter((manifest) => isSameFile(manifest.file, file));
}

/** Names an object in a namespace, or without one where its kind has none. */
export function inNamespace(kind: string, name: string, namespace: string): ObjectRef {
  return resourceOfKind(kind)?.namespaced === false ? { kind, name } : { kind, namespace, name };
}
