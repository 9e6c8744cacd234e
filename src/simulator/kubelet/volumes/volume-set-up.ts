import type { KubeObject } from '../../../model/kube-object.ts';
import type { ComponentHost } from '../../components/component.ts';
import type { FileEntry } from '../../programs/file-tree.ts';
import type { ObjectCache } from '../object-cache.ts';
import type { NodeRuntime } from '../runtime/runtime.ts';

/** What keeps a volume from being mounted: a mount operation that failed, or a claim that cannot be processed yet. */
export type SetUp =
  | {
      readonly ok: true;
      readonly files: ReadonlyMap<string, FileEntry>;
      readonly write?: (path: string, entry: FileEntry | undefined) => void;
      readonly plugin: string;
    }
  | { readonly ok: false; readonly kind: 'operation'; readonly volume?: string; readonly step?: string; readonly trouble: string }
  | { readonly ok: false; readonly kind: 'claim'; readonly trouble: string }
  | { readonly ok: false; readonly kind: 'silent'; readonly trouble: string };

export interface VolumeSurroundings {
  readonly host: ComponentHost;
  readonly runtime: NodeRuntime;
  readonly objects: ObjectCache;
  readonly node: () => KubeObject | undefined;
}
