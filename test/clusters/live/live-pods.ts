import type { SeenRequest } from '../../support/kube-server.ts';

export function pod(name: string, more: object = {}): object {
  return { metadata: { name, namespace: 'shop', uid: `uid-${name}` }, ...more };
}

export function wanted(seen: SeenRequest | undefined): string {
  return `${seen?.path}?${seen?.query.toString()}`;
}
