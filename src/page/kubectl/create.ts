import type { JsonObject } from '../../base/json.ts';
import { base64OfBytes } from '../../base/base64.ts';
import type { Call, CommandAnswer } from './call.ts';
import { failed, said } from './call.ts';
import { apply, APPLY_FLAGS } from './manifests.ts';
import { addressOf, failureText, qualifiedName, resourceOf } from './named-objects.ts';

export const CREATE_FLAGS = `${APPLY_FLAGS} from-literal=`;

/** `kubectl create -f FILE`, and of objects that are little more than a name. Source: staging/src/k8s.io/kubectl/pkg/cmd/create/*.go. */
export function create(call: Call): CommandAnswer {
  const { words, flags, kube, namespace } = call;
  if (flags.has('filename')) return apply(call, true);
  const [kind = '', ...rest] = words[0] === 'secret' ? words.filter((word, at) => at !== 1 || word !== 'generic') : words;
  const resource = NAMED.includes(kind) ? resourceOf(kind, kube.cluster.server.resources) : undefined;
  const [name] = rest;
  if (resource === undefined || name === undefined)
    return failed(
      `error: this console creates -f FILE (which opens the editor), and ${NAMED.join(', ')} by NAME, with --from-literal=KEY=VALUE`,
    );
  const pairs = (flags.get('from-literal') ?? '').split('\n').filter((pair) => pair.includes('='));
  const valueOf = (text: string): string => (kind === 'secret' ? base64OfBytes(new TextEncoder().encode(text)) : text);
  const data = Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), valueOf(pair.slice(pair.indexOf('=') + 1))]));
  const body: JsonObject = {
    apiVersion: 'v1',
    kind: resource.kind,
    metadata: { name, ...(resource.namespaced ? { namespace } : {}) },
    ...(pairs.length === 0 ? {} : { data }),
  };
  const answer = kube.send({ verb: 'create', ...addressOf(resource, namespace), body });
  return answer.ok ? said(`${qualifiedName({ resource }, name)} created`) : failed(failureText(answer));
}

const NAMED = ['configmap', 'secret', 'namespace', 'serviceaccount'];
