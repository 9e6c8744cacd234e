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
 * kind NodeService: what `systemctl status` said of a service on a node.
 * `spec: { node, service, active, sub?, since?, lines: string[] }`: `active` as systemctl has it (`active`, `inactive`, `failed`, …),
 * `lines` its journal lines.
 */
export const NODE_SERVICE = 'NodeService';

export const RECORD_KINDS: readonly string[] = [CLIENT_ANSWER, APPLIED_MANIFEST, NODE_SERVICE];
