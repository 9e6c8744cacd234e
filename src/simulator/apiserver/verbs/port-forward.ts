import { failure, notFound } from '../failures.ts';
import type { Answer } from '../request.ts';
import type { Call } from '../server-state.ts';
import { nodeOf } from './pod-subresources.ts';

/**
 * Whether ports of a pod can be forwarded and, of a port, what listens there says: the runtime dials localhost in the pod's network.
 * Source: pkg/kubelet/kubelet_pods.go (GetPortForward), containerd's internal/cri/server/sandbox_portforward_linux.go.
 */
export function portForward(call: Call): Answer {
  const { state, request } = call;
  const { name = '', namespace = '', proxied } = request;
  const pod = state.store.get('pods', namespace, name);
  if (pod === undefined) return notFound({ group: '', resource: 'pods' }, name);
  const node = nodeOf(call, pod);
  if (typeof node !== 'string') return node;
  const sandbox = state.world.kubelets.get(node)?.sandbox(pod);
  if (sandbox === undefined) return failure(500, '', `pod not found ("${name}_${namespace}")`);
  const place = { ok: true, code: 200, object: pod, warnings: call.warnings } as const;
  if (proxied?.port === undefined) return place;
  const { port, method, path, body } = proxied;
  const { id, netns } = sandbox;
  const speech = netns.at(LOCALHOST, port)?.speech;
  if (speech === undefined)
    return failure(
      500,
      '',
      `error forwarding port ${port} to pod ${id}, uid : failed to execute portforward in network namespace "/var/run/netns/cni-${pod.metadata.uid ?? ''}": failed to connect to localhost:${port} inside namespace "${id}", IPv4: dial tcp4 ${LOCALHOST}:${port}: connect: connection refused IPv6 dial tcp6: address localhost: no suitable address found `,
    );
  if (method === 'CONNECT') return { ...place, proxied: { headers: {}, body: '', speaks: speech.kind } };
  // Whoever speaks no HTTP is told all of it, and has no path.
  const said = speech.respond(method === 'SEND' ? body : path, { ip: LOCALHOST, port: CLIENT_PORT, method, body });
  return { ...place, code: said.status, proxied: { headers: said.headers ?? {}, body: said.body, speaks: speech.kind } };
}

const LOCALHOST = '127.0.0.1';
const CLIENT_PORT = 40_000;
