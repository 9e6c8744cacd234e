import type { FactKindSpec } from './spec.ts';
import { flag, text } from './spec.ts';

/** Facts about invalid certificates. */
export const CERTIFICATE_FACTS = {
  certificate: {
    says: 'An invalid certificate: expired, not yet valid, or signed by an untrusted CA. About the node, webhook configuration or control plane component that has it.',
    fields: {
      role: text('its role: an ID of src/model/certificate-roles.ts'),
      title: text('its role, in words: the scheduler\'s client certificate'),
      place: text('where it is stored or served'),
      host: text('host and port that serve it, if it was read from a connection'),
      node: text('the node whose kubelet has it'),
      state: text('expired, not-yet-valid or untrusted'),
      trouble: text('the state with its date: expired at 2026-11-21T09:00:00Z'),
      subject: text('its subject'),
      issuer: text('its issuer'),
      notBefore: text('RFC 3339'),
      notAfter: text('RFC 3339'),
      stage: text('the stage that it blocks; absent where pods are still created'),
      kubeadm: text('its name in `kubeadm certs renew`; absent where kubeadm does not renew it'),
      isAuthority: flag('it is a CA'),
    },
  },
} as const satisfies Record<string, FactKindSpec>;
