import { failure, plainError, tooManyRequests } from './failures.ts';
import type { Failure, UnsignedRequest, Verb } from './request.ts';
import type { ServedResource } from './resources.ts';

/** What is wrong with the store behind the API server. */
export type EtcdState = 'up' | 'down' | 'no-space' | 'initializing';

/** What a request is answered with for the state that etcd is in; undefined when it can be carried out. `full`: no object has room any more. */
export function etcdFailure(request: UnsignedRequest, resource: ServedResource, etcd: EtcdState, full: boolean): Failure | undefined {
  // A full etcd refuses every write. Updates are let through here, so that a workload can be scaled down again.
  if (full && request.verb === 'create' && request.subresource === undefined && resource.verbs.includes('get')) return plainError(NO_SPACE);
  if (etcd === 'up') return undefined;
  const reads = request.verb === 'get' || request.verb === 'list';
  // The API server has started, and its caches are not filled. Source: staging/src/k8s.io/apiserver/pkg/storage/cacher/cacher.go.
  if (etcd === 'initializing') return reads ? tooManyRequests('storage is (re)initializing', { retryAfterSeconds: 1 }) : undefined;
  if (etcd === 'no-space') return reads || request.verb === 'delete' ? undefined : plainError(NO_SPACE);
  return reads && request.resourceVersion === '0'
    ? undefined
    : failure(
        504,
        'Timeout',
        `the server was unable to return a response in the time allotted, but may still be processing the request (${METHODS[request.verb]} ${request.resource}${request.name === undefined ? '' : ` ${request.name}`})`,
      );
}

/** Source: etcd's api/v3rpc/rpctypes/error.go (ErrGRPCNoSpace). */
const NO_SPACE = 'etcdserver: mvcc: database space exceeded';

/** What the verbs are on the wire, in the words of client-go. */
const METHODS: Readonly<Record<Verb, string>> = {
  get: 'get',
  list: 'get',
  watch: 'get',
  create: 'post',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
};
