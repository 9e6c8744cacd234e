/** The door of the simulator: nobody outside imports another file of this folder. README.md draws what is behind it. */

// A cluster, and what can be done to it.
export type { Cluster } from './cluster.ts';
export { createCluster, DEFAULT_START } from './cluster.ts';
export type { OutsideRequest } from './cluster-options.ts';
export type { ComponentDefinition } from './components/component.ts';
export { METRICS_SERVICE } from './metrics/metrics-server.ts';
export type { ExecWish } from './programs/exec-session.ts';
export type { ExecInput, ExecRefusal, ExecRequest } from './terminal/exec-sessions.ts';
export type { Certificate } from './x509/simulated-certificate.ts';
export { CLUSTER_CA } from './x509/certificates.ts';
export { certificateOf } from './x509/cluster-certificates.ts';

// Clusters that come from somewhere: a scenario, the objects of another cluster, a recorded trace.
export type { Clone, CloneRemark } from './clone/clone.ts';
export { cloneCluster } from './clone/clone.ts';
export { claimSpecsOf, isProvisioned } from './clone/pod-needs.ts';
export type { UnmetNeed } from './clone/unmet-needs.ts';
export { missingObject, unmetNeeds } from './clone/unmet-needs.ts';
export { IS_DEFAULT_CLASS } from './apiserver/admission/default-storage-class.ts';
export type { Played, PlayOptions } from './scenario/play.ts';
export { cureScenario, doStep, playInSlices, playScenario } from './scenario/play.ts';
export { compareTraces } from './trace/divergence.ts';
export type { Replay } from './trace/replay.ts';
export { endOf, replayTrace } from './trace/replay.ts';
export type { RecordedTrace } from './trace/trace-file.ts';
export { readTrace, traceEnd } from './trace/trace-file.ts';
export { moments } from './trace/trace-walk.ts';

// What can be found out about a cluster beside its API.
export { unknownImages } from './images/unknown-images.ts';
export { assumedBehaviour } from './programs/assumed-behaviour.ts';
export { possibleMakers } from './programs/possible-makers.ts';
export type { ServiceReach } from './network/clients.ts';
export { reachOfServices } from './network/clients.ts';

// The API as it goes over the wire: what serves a cluster over HTTPS needs no more.
export { isTooLarge } from './apiserver/etcd-size.ts';
export { podRequests } from './apiserver/quota-usage.ts';
export { badRequest, failure, internalError, methodNotSupported, notAcceptable, unknownPath } from './apiserver/failures.ts';
export { applyStrategicMerge } from './apiserver/patches/strategic-merge.ts';
export type {
  ApiRequest,
  Credential,
  DeleteOptions,
  Failure,
  GivenOptions,
  Impersonation,
  LogRequest,
  Patch,
  Success,
  Verb,
} from './apiserver/request.ts';
export { ANONYMOUS } from './apiserver/request.ts';
export type { Resources } from './apiserver/resources.ts';
export { apiVersionOf, isReviewed } from './apiserver/resources.ts';
export { modelNamed, modelNames } from './apiserver/schema/schema.ts';
export type { WatchEvent, WatchHandle } from './apiserver/watch.ts';
export type { DecodedBody } from './apiserver/wire/body.ts';
export { decodeWireBody } from './apiserver/wire/body.ts';
export { documentAt } from './apiserver/wire/documents.ts';
export type { Representation } from './apiserver/wire/representation.ts';
export { MEDIA_TYPES, representationOf } from './apiserver/wire/representation.ts';
export { warningHeaders } from './apiserver/wire/warning-headers.ts';
export { addressOfKind } from './components/client.ts';
export { failureWords } from './terminal/kubectl.ts';
export { explainedFields } from './apiserver/openapi/explained-fields.ts';
