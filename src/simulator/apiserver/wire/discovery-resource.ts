import type { GroupVersionKind } from './subresource-kinds.ts';

export interface DiscoveryResource {
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly { readonly name: string; readonly kind: GroupVersionKind; readonly verbs: readonly string[] }[];
  readonly storageVersionHash?: string;
}
