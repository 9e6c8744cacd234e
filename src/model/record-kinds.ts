/**
 * Records that are not objects of the API but are read like them (see `ClusterReader`). Their apiVersion is
 * `podcheck/v1`; names only have to be unique within one source.
 */
export const RECORD_API_VERSION = 'podcheck/v1';

/**
 * kind ClientAnswer: what a client printed for one command, in the order of the source.
 * `spec: { command, verb, output, exitCode?, order, at? }`: `verb` is kubectl's (`apply`, `get`, …), `output` the text printed,
 * stderr included; `order` counts the commands of the source from 0.
 */
export const CLIENT_ANSWER = 'ClientAnswer';

/**
 * kind AppliedManifest: one document of a manifest as a person gave it to `apply`.
 * `spec: { file, object?, error?: { line, message, seems?: { kind, name } } }`: `object` is the document; a document that cannot be parsed
 * has `error` instead, with what it seems to declare.
 * metadata.namespace is the document's own, or the one the command named.
 */
export const APPLIED_MANIFEST = 'AppliedManifest';

/**
 * kind NodeService: what `systemctl status` said of a service on a node, or what lines of its journal show.
 * `spec: { node, service, active, sub?, since?, lines: string[], seen?: 'journal' }`: `active` as systemctl has it (`active`, `inactive`,
 * `failed`, …),
 * `lines` its journal lines.
 */
export const NODE_SERVICE = 'NodeService';

/**
 * kind CertificateRecord: certificates that lie outside the API, or that a collector read in it, where a source has them.
 * `spec: { tier, place, role?, pem, rotatedBy? }`: `tier` is `kubeconfig`, `served` (by the API server), `node` (files of a node), `probe`
 * (served by anything else), or `secret`, `metadata`, `api` for what a collector found in objects; `place` is what a person calls it
 * (`worker-1:/var/lib/kubelet/pki/kubelet-client-current.pem`,
 * `https://10.0.0.1:6443`), `role` an id of `certificate-roles.ts`, `pem` nothing but certificates, the leaf first; `rotatedBy` a
 * word of `CertificateRotator` where it is not what the role usually has. A source that has no certificate but what was printed of it
 * has `described: { subject, issuer, serial?, names, isCa, notBefore, notAfter }` instead of `pem`.
 */
export const CERTIFICATE_RECORD = 'CertificateRecord';

/**
 * kind LooseText: a line that is part of nothing else, such as a message somebody pasted by itself.
 * `spec: { text, line }`: `line` is its number in the source.
 */
export const LOOSE_TEXT = 'LooseText';

/** Annotation of an Event of which only the message was seen, in a log or by itself. */
export const IMPLIED_EVENT = 'podcheck/implied-by';

export const RECORD_KINDS: readonly string[] = [CLIENT_ANSWER, APPLIED_MANIFEST, NODE_SERVICE, CERTIFICATE_RECORD, LOOSE_TEXT];

/** Annotation with the number that a list of pods prints as RESTARTS: a sum over containers that the list does not name. */
export const PRINTED_RESTARTS = 'podcheck/printed-restarts';

/** Annotation with what a list of pods prints as RESTARTS where a pod that is ready just now has been started again several times lately. */
export const PRINTED_UNSETTLED = 'podcheck/printed-unsettled';

/** Annotation with how many containers a list of pods prints, where that is more than one: its STATUS is one of them, and not named. */
export const PRINTED_CONTAINERS = 'podcheck/printed-containers';

/** Annotation with how the last run of a container of the pod ended, as a list printed it before or instead of a back-off. */
export const PRINTED_END = 'podcheck/printed-end';
