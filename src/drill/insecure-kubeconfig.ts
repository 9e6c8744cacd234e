import type { ObjectRef } from '../model/kube-object.ts';
import type { Shortcut } from './shortcuts.ts';

/** What there is to say against a kubeconfig that was made to work: whoever looks away sees no wrong certificate. */
export function insecureSetting(kubeconfig: string | undefined, about: ObjectRef): readonly Shortcut[] {
  if (kubeconfig === undefined || !LOOKS_AWAY.test(kubeconfig)) return [];
  return [
    {
      about,
      how: 'unchecked',
      says: 'The kubeconfig no longer verifies the certificate of the API server: any server could answer in its place.',
    },
  ];
}

const LOOKS_AWAY = /insecure-skip-tls-verify["']?: *true/;
