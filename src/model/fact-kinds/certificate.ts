import { CERTIFICATE_ROLE_IDS } from '../certificate-roles.ts';
import { STAGE_IDS } from '../stage.ts';
import type { FactKindSpec } from './spec.ts';
import { flag, text, word } from './spec.ts';

/** Facts about invalid certificates. */
export const CERTIFICATE_FACTS = {
  certificate: {
    says: 'An invalid certificate: expired, not yet valid, or signed by an untrusted CA. About the node, webhook configuration or control plane component that has it.',
    fields: {
      role: word('its role', CERTIFICATE_ROLE_IDS),
      title: text("its role, in words: the scheduler's client certificate"),
      place: text('where it is stored or served'),
      host: text('host and port that serve it, if it was read from a connection'),
      node: text('the node whose kubelet has it'),
      state: word('what is wrong with it', ['expired', 'not-yet-valid', 'untrusted']),
      trouble: text('the state with its date: expired at 2026-11-21T09:00:00Z'),
      subject: text('its subject'),
      issuer: text('its issuer'),
      notBefore: text('RFC 3339'),
      notAfter: text('RFC 3339'),
      stage: word('the stage that it blocks; absent where pods are still created', STAGE_IDS),
      kubeadm: text('its name in `kubeadm certs renew`; absent where kubeadm does not renew it'),
      isAuthority: flag('it is a CA'),
    },
  },
} as const satisfies Record<string, FactKindSpec>;
