import { withoutTail } from '../base/text.ts';
import type { Json } from '../base/json.ts';
import { asText, dig } from '../base/json.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { APPLIED_MANIFEST, CLIENT_ANSWER } from '../model/record-kinds.ts';
import { resourceOfKind } from '../model/resources.ts';
import type { Note } from './note.ts';

/** Manifests with what the commands beside them say about them. */
export interface AppliedManifests {
  readonly manifests: readonly KubeObject[];
  readonly notes: readonly Note[];
}

/**
 * Compares the files of a manifests folder with the recorded commands and the objects. Where commands name the files they applied,
 * those that none names are left out, since they may have come later; the others get the namespace their command named. A
 * file that the record shows itself needs no second telling.
 */
export function manifestsAsApplied(manifests: readonly KubeObject[], objects: readonly KubeObject[]): AppliedManifests {
  const applications = objects.filter(({ kind }) => kind === CLIENT_ANSWER).flatMap((record) => applicationOf(dig(record, 'spec')));
  const shown = new Set(objects.filter(({ kind }) => kind === APPLIED_MANIFEST).map((record) => baseName(fileOf(record))));
  const kept: KubeObject[] = [];
  const unnamed = new Set<string>();
  for (const manifest of manifests) {
    const file = fileOf(manifest);
    if (shown.has(baseName(file))) continue;
    const by = applications.find(({ files }) => files.some((named) => isSameFile(named, file)));
    if (by === undefined && applications.length > 0) unnamed.add(file);
    else kept.push(placed(manifest, by?.namespace ?? namespaceLike(manifest, objects)));
  }
  return {
    manifests: kept,
    notes: [...unnamed].map((file) => ({
      file,
      text: 'not read: no recorded command contains this file, so it may have been applied later',
    })),
  };
}

function fileOf(manifest: KubeObject): string {
  return asText(dig(manifest, 'spec', 'file')) ?? '';
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function placed(manifest: KubeObject, namespace: string | undefined): KubeObject {
  const kind = asText(dig(manifest, 'spec', 'object', 'kind'));
  if (namespace === undefined || manifest.metadata.namespace !== undefined || resourceOfKind(kind ?? '')?.namespaced === false)
    return manifest;
  return { ...manifest, metadata: { ...manifest.metadata, namespace } };
}

/** Without a command, a manifest is in the namespace where its object is, if there is just one such object. */
function namespaceLike(manifest: KubeObject, objects: readonly KubeObject[]): string | undefined {
  const [kind, name] = [dig(manifest, 'spec', 'object', 'kind'), dig(manifest, 'spec', 'object', 'metadata', 'name')];
  const same = objects.filter((object) => object.kind === kind && object.metadata.name === name);
  return same.length === 1 ? same[0]?.metadata.namespace : undefined;
}

interface Application {
  readonly files: readonly string[];
  readonly namespace?: string;
}

const APPLYING: ReadonlySet<string> = new Set(['apply', 'create', 'replace']);

/** A command that applied files: its `-f` and `-k` arguments, and its namespace. */
function applicationOf(spec: Json | undefined): readonly Application[] {
  if (!APPLYING.has(asText(dig(spec, 'verb')) ?? '')) return [];
  const words = (asText(dig(spec, 'command')) ?? '').split(/\s+/);
  const files = valuesOf(words, ['-f', '--filename', '-k', '--kustomize']).filter((file) => file !== '-' && !/^https?:/.test(file));
  const [namespace] = valuesOf(words, ['-n', '--namespace']);
  return files.length === 0 ? [] : [{ files, ...(namespace === undefined ? {} : { namespace }) }];
}

/** Values of flags in the forms `-f web.yaml`, `-fweb.yaml`, `--filename=web.yaml`, several parted by commas. */
function valuesOf(words: readonly string[], flags: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    if (flags.includes(word)) return words[index + 1]?.split(',') ?? [];
    const joined = flags.find((flag) => word.startsWith(flag.startsWith('--') ? `${flag}=` : flag));
    return joined === undefined || (!joined.startsWith('--') && word.startsWith('--'))
      ? []
      : word.slice(joined.length).replace(/^=/, '').split(',');
  });
}

/** The command was typed in another folder than the evidence was opened from, so the ends of the paths are compared. */
function isSameFile(named: string, file: string): boolean {
  const path = withoutTail(named.replaceAll(/["']/g, '').replace(/^(?:\.{1,2}\/)+/, ''), '/');
  if (path === '' || path === '.') return true;
  return (
    path === file || path.endsWith(`/${file}`) || file.endsWith(`/${path}`) || file.startsWith(`${path}/`) || file.includes(`/${path}/`)
  );
}
