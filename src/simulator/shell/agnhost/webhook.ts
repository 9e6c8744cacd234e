import { encodeBase64 } from '../../../base/base64.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, asTextMap, dig } from '../../../base/json.ts';
import type { Response } from '../../network/sockets.ts';
import { convertReview } from './conversion.ts';

/** What the webhook server of agnhost decides by a path. Source: test/images/agnhost/webhook. */
export function answerReview(path: string, body: string): Response {
  const bare = path.split('?')[0] ?? path;
  if (bare === '/readyz') return { status: 200, body: 'ok', afterMilliseconds: 1 };
  if (bare === '/crdconvert') return converted(reviewIn(body));
  const decide = DECISIONS[bare];
  if (decide === undefined) return { status: 404, body: '404 page not found\n', afterMilliseconds: 1 };
  const request = asObject(dig(reviewIn(body), 'request'));
  const response = { uid: request['uid'] ?? '', ...decide(request) };
  return {
    status: 200,
    body: JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }),
    afterMilliseconds: waits(bare, request) ? NEVER : bare === '/always-allow-delay-5s' ? 5000 : 2,
    headers: { 'content-type': 'application/json' },
  };
}

function converted(review: Json): Response {
  const { apiVersion, kind, request } = asObject(review);
  const body = JSON.stringify({ apiVersion, kind, response: convertReview(asObject(request)) });
  return { status: 200, body, afterMilliseconds: 2, headers: { 'content-type': 'application/json' } };
}

/** Longer than anybody waits. */
const NEVER = 3_600_000;

function reviewIn(body: string): Json {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return {};
  }
}

const ALLOWED: JsonObject = { allowed: true };

const DECISIONS: Readonly<Record<string, (request: JsonObject) => JsonObject>> = {
  '/always-allow-delay-5s': () => ({ ...ALLOWED, status: { message: 'this webhook allows all requests' } }),
  '/always-deny': () => denied({ message: 'this webhook denies all requests' }),
  '/add-label': addLabel,
  '/pods': admitPod,
  '/pods/attach': admitAttaching,
  '/mutating-pods': (request) =>
    nameOf(request) === 'webhook-to-be-mutated' && !hasContainer(request, 'initContainers', 'webhook-added-init-container')
      ? patched([
          {
            op: 'add',
            path: '/spec/initContainers',
            value: [{ image: 'webhook-added-image', name: 'webhook-added-init-container', resources: {} }],
          },
        ])
      : ALLOWED,
  '/configmaps': (request) => admitData(request, 'configmap', 'contains unwanted key and value'),
  '/custom-resource': (request) => admitData(request, 'custom resource', 'contains unwanted data'),
  '/mutating-configmaps': mutateData,
  '/mutating-custom-resource': mutateData,
  '/crd': (request) =>
    asTextMap(dig(request, 'object', 'metadata', 'labels'))[MARK] === 'webhook-disallow'
      ? denied({ message: 'the crd contains unwanted label' })
      : ALLOWED,
};

const MARK = 'webhook-e2e-test';

function denied(status: JsonObject): JsonObject {
  return { allowed: false, status };
}

function patched(operations: readonly Json[]): JsonObject {
  return { ...ALLOWED, patchType: 'JSONPatch', patch: encodeBase64(JSON.stringify(operations)) };
}

function nameOf(request: JsonObject): string | undefined {
  return asText(dig(request, 'object', 'metadata', 'name'));
}

function hasContainer(request: JsonObject, field: string, name: string): boolean {
  return asList(dig(request, 'object', 'spec', field)).some((container) => dig(container, 'name') === name);
}

function addLabel(request: JsonObject): JsonObject {
  const labels = asTextMap(dig(request, 'object', 'metadata', 'labels'));
  if (Object.keys(labels).length === 0) return patched([{ op: 'add', path: '/metadata/labels', value: { 'added-label': 'yes' } }]);
  if (labels['added-label'] === 'yes') return ALLOWED;
  const op = labels['added-label'] === undefined ? 'add' : 'replace';
  return patched([{ op, path: '/metadata/labels/added-label', value: 'yes' }]);
}

function waits(path: string, request: JsonObject): boolean {
  return path === '/pods' && asTextMap(dig(request, 'object', 'metadata', 'labels'))[MARK] === 'wait-forever';
}

function admitPod(request: JsonObject): JsonObject {
  const unwanted = asTextMap(dig(request, 'object', 'metadata', 'labels'))[MARK] === 'webhook-disallow';
  const names = asList(dig(request, 'object', 'spec', 'containers')).filter((one) =>
    (asText(dig(one, 'name')) ?? '').includes('webhook-disallow'),
  );
  const words = [
    ...(unwanted ? ['the pod contains unwanted label;'] : []),
    ...names.map(() => 'the pod contains unwanted container name;'),
  ];
  return words.length === 0 ? ALLOWED : denied({ message: words.join(' ') });
}

function admitAttaching(request: JsonObject): JsonObject {
  const options = asObject(request['object']);
  const fits = request['name'] === 'to-be-attached-pod' && options['stdin'] === true && options['container'] === 'container1';
  return fits ? denied({ message: "attaching to pod 'to-be-attached-pod' is not allowed" }) : ALLOWED;
}

function admitData(request: JsonObject, what: string, why: string): JsonObject {
  const deletes = request['operation'] === 'DELETE';
  const value = asTextMap(dig(request, deletes ? 'oldObject' : 'object', 'data'))[MARK];
  if (!deletes && value === 'webhook-disallow') return denied({ reason: `the ${what} ${why}` });
  if (deletes && value === 'webhook-nondeletable')
    return denied({ reason: `the ${what} cannot be deleted because it contains unwanted key and value` });
  return ALLOWED;
}

function mutateData(request: JsonObject): JsonObject {
  const data = asTextMap(dig(request, 'object', 'data'));
  if (data['mutation-stage-1'] === 'yes') return patched([{ op: 'add', path: '/data/mutation-stage-2', value: 'yes' }]);
  return data['mutation-start'] === 'yes' ? patched([{ op: 'add', path: '/data/mutation-stage-1', value: 'yes' }]) : ALLOWED;
}
