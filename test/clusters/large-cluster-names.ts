import type { JsonObject } from '../../src/base/json.ts';
import { FAILURES } from './large-cluster-failures.ts';

export const PODS_A_NODE = 20;
export const PODS_A_DEPLOYMENT = 20;
export const NAMESPACES = 53;
/** One Deployment of so many fails, with all its pods. */
export const FAILING_EVERY = 100;
const STARTED = Date.parse('2026-01-14T06:00:00Z');

export function failureOf(app: number): (typeof FAILURES)[number] | undefined {
  return app % FAILING_EVERY === 0 ? FAILURES[(app / FAILING_EVERY) % FAILURES.length] : undefined;
}

export function namespaceOf(app: number): string {
  return `shop-${String(app % NAMESPACES)}`;
}

/** Fifteen hexadecimal digits that look random and are the same each time. */
export function digits(seed: number, length: number): string {
  let [text, state] = ['', (seed + 1) * 2_654_435_761];
  while (text.length < length) {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) ^ (state >>> 13)) >>> 0;
    text += state.toString(16).padStart(8, '0');
  }
  return text.slice(0, length);
}

export function uid(seed: number): string {
  const all = digits(seed, 32);
  return `${all.slice(0, 8)}-${all.slice(8, 12)}-4${all.slice(13, 16)}-a${all.slice(17, 20)}-${all.slice(20, 32)}`;
}

export function time(seconds: number): string {
  return new Date(STARTED + seconds * 1000).toISOString().replace('.000Z', 'Z');
}

export function hashOf(app: number): string {
  return digits(app + 7_000_000, 10);
}

/** The last sign is the pod's own among those of its Deployment: five random ones were the same for two pods of 100,000. */
export function podName(app: number, index: number): string {
  return `web-${String(app)}-${hashOf(app)}-${digits(app * PODS_A_DEPLOYMENT + index + 9_000_000, 4)}${index.toString(PODS_A_DEPLOYMENT)}`;
}

export function nodeName(index: number): string {
  return `ip-10-${String(index >> 8)}-${String(index & 255)}-17.eu-central-1.compute.internal`;
}

export function addressOf(index: number): string {
  return `10.${String(64 + (index >> 16))}.${String((index >> 8) & 255)}.${String(index & 255)}`;
}

export function labelsOf(app: number): JsonObject {
  return { 'app.kubernetes.io/name': `web-${String(app)}`, 'app.kubernetes.io/part-of': 'shop', 'app.kubernetes.io/version': '1.4.2' };
}

export function metadata(app: number, name: string, seed: number, more: JsonObject = {}): JsonObject {
  return {
    annotations: { 'deployment.kubernetes.io/revision': '1', 'shop.example/team': `team-${String(app % 40)}` },
    creationTimestamp: time(app % 3000),
    generation: 1,
    labels: labelsOf(app),
    name,
    namespace: namespaceOf(app),
    resourceVersion: String(1_000_000 + seed),
    uid: uid(seed),
    ...more,
  };
}

export function owner(kind: string, name: string, of: string): JsonObject {
  return { apiVersion: 'apps/v1', blockOwnerDeletion: true, controller: true, kind, name, uid: of };
}
