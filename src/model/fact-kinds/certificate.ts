import type { FactKindSpec } from './spec.ts';
import { flag, text } from './spec.ts';

/** Facts about certificates that nobody should believe. */
export const CERTIFICATE_FACTS = {
  certificate: {
    says: 'A certificate that does not hold now: it has ended, has not begun, or is of an authority that is not trusted for it. About the node, the webhook configuration or the part of the control plane that has it.',
    fields: {
      role: text('what it is for: an id of src/model/certificate-roles.ts'),
      title: text('what it is for, in words: the scheduler\'s client certificate'),
      place: text('where it lies or is served'),
      host: text('host and port it is served at, for one that was asked for'),
      node: text('the node whose kubelet has it'),
      state: text('expired, not-yet-valid or untrusted'),
      trouble: text('the same with its dates: expired at 2026-11-21T09:00:00Z'),
      subject: text('whom it names'),
      issuer: text('who signed it'),
      notBefore: text('RFC 3339'),
      notAfter: text('RFC 3339'),
      stage: text('the stage of a pod\'s way that stops; absent where pods go on being created'),
      kubeadm: text('what `kubeadm certs renew` calls it; absent where kubeadm does not renew it'),
      isAuthority: flag('it signs others'),
    },
  },
} as const satisfies Record<string, FactKindSpec>;
