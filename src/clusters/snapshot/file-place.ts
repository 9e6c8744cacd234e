import { RESOURCES } from '../../model/resources.ts';

/** What a file's place among the others says of the list in it, in the layouts of the usual collectors. */
export interface Place {
  /** The kind of the list in it, which its name or its folder names. */
  readonly kind?: string;
  /** The kind the nearest folder names that names one: for an object that does not say what it is. */
  readonly folderKind?: string;
  /** The namespace whose objects it lists, whole. */
  readonly namespace?: string;
  /** It holds what could not be read instead of objects. */
  readonly refusals?: true;
}

/**
 * What `kubectl cluster-info dump` writes into each namespace's folder; the third name is like no other tool's. Source:
 * kubectl/pkg/cmd/clusterinfo/clusterinfo_dump.go.
 */
const DUMP_MARK = /^(?:(.*)\/)?[^/]+\/replication-controllers\.(?:json|yaml)$/;

/** Folders that `kubectl cluster-info dump` has written: those that hold `nodes.json` and a folder for each namespace. */
export function dumpRoots(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set(paths);
  const roots = paths.map((path) => DUMP_MARK.exec(path)).flatMap((found) => (found === null ? [] : [found[1] ?? '']));
  return new Set(
    roots.filter((root) =>
      ['json', 'yaml'].some((extension) => all.has(root === '' ? `nodes.${extension}` : `${root}/nodes.${extension}`)),
    ),
  );
}

/**
 * Reads a path: `<ns>/pods.json` of a cluster-info dump, `cluster-resources/pods/<ns>.json` of a support bundle,
 * `namespaces/<ns>/core/pods.yaml` of a must-gather, `resources/ns/<ns>/core_v1_pods.json` of Sonobuoy,
 * `yamls/namespaced/<ns>/v1/pods.yaml` of Harvester; elsewhere just the kind that the file is named after.
 */
export function placeOf(path: string, roots: ReadonlySet<string>): Place {
  const folders = path.split('/');
  const file = folders.pop() ?? '';
  const parent = folders.at(-1) ?? '';
  const stem = file.replace(/\.(?:json|ya?ml|jsonl|ndjson)$/i, '');
  if (folders.includes('cluster-resources')) return supportBundlePlace(stem, parent);
  const kind = kindNamed(stem);
  const folderKind = folders.map(kindNamed).findLast((one) => one !== undefined);
  const named = { ...(kind === undefined ? {} : { kind }), ...(folderKind === undefined ? {} : { folderKind }) };
  const marker = folders.findIndex((folder) => NAMESPACE_FOLDERS.has(folder));
  const below = marker < 0 ? undefined : folders[marker + 1];
  if (kind !== undefined && below !== undefined) return { kind, namespace: below };
  if (kind !== undefined && parent !== '' && roots.has(folders.slice(0, -1).join('/'))) return { kind, namespace: parent };
  return named;
}

const NAMESPACE_FOLDERS: ReadonlySet<string> = new Set(['namespaces', 'namespaced', 'ns']);

/** Source: troubleshoot's pkg/collect/cluster_resources.go: `<kind>/<ns>.json`, `<kind>.json`, `<kind>-errors.json`. */
function supportBundlePlace(stem: string, parent: string): Place {
  const failed = kindNamed(stem.replace(/-errors$/, ''));
  if (stem.endsWith('-errors')) return { refusals: true, ...(failed === undefined ? {} : { kind: failed }) };
  if (failed !== undefined && parent === 'cluster-resources') return { kind: failed };
  const kind = kindNamed(parent);
  return kind === undefined ? {} : { kind, namespace: stem };
}

/** The kind a file or folder is named after: `pods`, `Pods`, `core_v1_pods`, `k8s-pods-20261120-191948`, `storage-classes`. */
export function kindNamed(stem: string): string | undefined {
  const plain = stem
    .toLowerCase()
    .replace(/^k8s-/, '')
    .replace(/^[a-z0-9.]*_?v\d+(?:alpha\d+|beta\d+)?_/, '')
    .replace(/[^a-z]/g, '');
  return BY_NAME.get(plain);
}

const BY_NAME = new Map(
  RESOURCES.flatMap(({ kind, plural, shortNames }) =>
    [kind.toLowerCase(), plural, ...shortNames.flatMap((name) => [name, `${name}s`])]
      .filter((name) => name.length > 2)
      .map((name) => [name, kind] as const),
  ),
);
