import type { KubeObject } from '../model/kube-object.ts';
import { formatRef, refOf } from '../model/kube-object.ts';
import type { ContainerHealth } from './container-health.ts';
import type { SeenEvent } from './events.ts';
import { eventProof } from './events.ts';
import type { Proof } from './fact-sink.ts';
import { isRecent } from './pod-events.ts';
import type { NamedReference } from './reference-names.ts';

/** What the kubelet says a pod lacks. */
export interface Refusal {
  readonly refKind: 'ConfigMap' | 'Secret';
  /** Undefined when only a key is named. */
  readonly refName?: string;
  readonly key?: string;
  readonly volume?: string;
  readonly container?: string;
  readonly via: 'env' | 'volume' | 'imagePullSecret';
  readonly proof: Proof;
}

/**
 * Wordings of a missing object or key. The same name is singular when the kubelet's cache speaks and plural when the API server does.
 * Source: pkg/volume/configmap/configmap.go, pkg/volume/secret/secret.go, pkg/kubelet/kubelet_pods.go (makeEnvironmentVariables).
 */
const OBJECT = /\b(configmap|secret)s? "([^"]{1,253})" not found/;
const ENV_KEY = /couldn't find key (\S{1,253}) in (ConfigMap|Secret) (?:[^/\s]{1,63}\/)?([^\s,\]]{1,253})/;
const CONFIG_KEY = /configmap references non-existent config key: (\S{1,253})/;
const SECRET_KEY = /references non-existent secret key: (\S{1,253})/;
const VOLUME = /failed for volume "([^"]{1,253})"/;
const PULL_SECRETS = /Unable to retrieve some image pull secrets \(([^)]{1,2000})\)/;

/** What the kubelet says now: the messages of waiting containers, and the latest events of a pod that has not got over them. */
export function refusalsOf(pod: KubeObject, healths: readonly ContainerHealth[], events: readonly SeenEvent[], now: number): readonly Refusal[] {
  const found: Refusal[] = [];
  for (const { container, waiting } of healths) {
    if (waiting?.message === undefined) continue;
    const refusal = parseRefusal(waiting.message, 'env', { source: `${formatRef(refOf(pod))} container ${container.name} waiting: ${waiting.reason ?? ''}`, quote: waiting.message });
    if (refusal !== undefined) found.push({ ...refusal, container: container.name });
  }
  const unseen = healths.length === 0;
  const failing = new Set(healths.filter(({ state }) => state === 'waiting' || state === undefined).map(({ container }) => container.name));
  if (!unseen && failing.size === 0) return found;
  for (const reason of ['Failed', 'FailedMount', 'FailedToRetrieveImagePullSecret']) {
    for (const event of latest(events.filter((one) => one.reason === reason))) {
      if (unseen && !isRecent(event.at, now)) continue;
      found.push(...eventRefusals(event, eventProof(event, refOf(pod))));
    }
  }
  return found;
}

/** Whether the kubelet's words are about this reference. */
export function speaksOf(refusal: Refusal, reference: NamedReference): boolean {
  if (refusal.refKind !== reference.refKind || (refusal.refName !== undefined && refusal.refName !== reference.refName)) return false;
  if ((refusal.via === 'imagePullSecret') !== (reference.via === 'imagePullSecret')) return false;
  if (refusal.volume !== undefined) return refusal.volume === reference.volume && (refusal.key === undefined || refusal.key === reference.key);
  if (refusal.via === 'env' && reference.volume !== undefined) return false;
  return refusal.key === undefined || refusal.key === reference.key;
}

/** Events of one reason from the last minute of its trouble: what it said before is settled. */
function latest(events: readonly SeenEvent[]): readonly SeenEvent[] {
  const last = Math.max(...events.map(({ at }) => at ?? 0));
  return events.filter(({ at }) => at === undefined || at >= last - SAME_TROUBLE_MS);
}

const SAME_TROUBLE_MS = 60_000;

function eventRefusals(event: SeenEvent, proof: Proof): readonly Refusal[] {
  const secrets = PULL_SECRETS.exec(event.message)?.[1];
  if (secrets !== undefined) {
    return secrets.split(',').map((name) => ({ refKind: 'Secret' as const, refName: name.trim().replace(/^.*\//, ''), via: 'imagePullSecret' as const, proof }));
  }
  const refusal = parseRefusal(event.message, event.reason === 'FailedMount' ? 'volume' : 'env', proof);
  if (refusal === undefined) return [];
  return [{ ...refusal, ...(event.container === undefined ? {} : { container: event.container }) }];
}

function parseRefusal(message: string, via: Refusal['via'], proof: Proof): Refusal | undefined {
  const volume = VOLUME.exec(message)?.[1];
  const base = { via, proof, ...(volume === undefined ? {} : { volume }) };
  const object = OBJECT.exec(message);
  if (object !== null) return { ...base, refKind: object[1] === 'secret' ? 'Secret' : 'ConfigMap', refName: object[2] ?? '' };
  const key = ENV_KEY.exec(message);
  if (key !== null) return { ...base, refKind: key[2] === 'Secret' ? 'Secret' : 'ConfigMap', refName: key[3] ?? '', key: key[1] ?? '' };
  const configKey = CONFIG_KEY.exec(message)?.[1];
  if (configKey !== undefined) return { ...base, refKind: 'ConfigMap', key: configKey };
  const secretKey = SECRET_KEY.exec(message)?.[1];
  return secretKey === undefined ? undefined : { ...base, refKind: 'Secret', key: secretKey };
}
