import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import { withFields, withPath } from '../../base/json-edit.ts';
import type { Prng } from '../../base/prng.ts';
import type { DrillFault } from '../../model/drill.ts';
import type { StageId } from '../../model/stage.ts';
import type { Application, Part } from './application.ts';

/** A way an application's manifests go wrong. The cure is always to apply them as they were meant. */
export interface FaultKind {
  readonly cause: string;
  readonly stage: StageId;
  /** Whether the part (in this application) can have it. */
  readonly fits: (part: Part, app: Application) => boolean;
  readonly breaks: (manifests: readonly JsonObject[], part: Part, app: Application, prng: Prng) => readonly JsonObject[];
  readonly fault: (part: Part, app: Application) => DrillFault;
  /** It can come with a later deploy, for no object is missing. */
  readonly late: boolean;
  /** Two parts must not have it at once, for it is about the whole namespace. */
  readonly wide?: true;
}

export const FAULT_KINDS: readonly FaultKind[] = [
  without(
    'volumes/configmap-not-found',
    'volumes',
    (part) => part.mountsSettings && !part.readsSettings,
    'ConfigMap',
    (part) => `${part.name}-settings`,
  ),
  without(
    'containers/configmap-not-found',
    'containers',
    (part) => part.readsSettings && !part.mountsSettings,
    'ConfigMap',
    (part) => `${part.name}-settings`,
  ),
  without(
    'containers/secret-not-found',
    'containers',
    (part) => part.readsKeys,
    'Secret',
    (part) => `${part.name}-keys`,
  ),
  without(
    'mutating-admission/service-account-not-found',
    'mutating-admission',
    (part) => part.ownAccount,
    'ServiceAccount',
    (part) => part.name,
  ),
  {
    cause: 'containers/configmap-key-not-found',
    stage: 'containers',
    late: false,
    fits: (part) => part.readsSettings,
    breaks: (manifests, part) =>
      changed(manifests, 'ConfigMap', `${part.name}-settings`, (object) => ({ ...object, data: { zone: 'north', theme: 'dark' } })),
    fault: (part, app) => onWorkload('containers/configmap-key-not-found', part, app, { kind: 'ConfigMap', name: `${part.name}-settings` }),
  },
  inPod('images/image-not-found', 'images', (container, { tag }) => ({
    image: `${asText(container['image'])?.replace(/:[^:]*$/, '') ?? ''}:${tag}-rc`,
  })),
  inPod('scheduling/insufficient-resource', 'scheduling', () => ({
    resources: { requests: { cpu: '96', memory: '64Mi' }, limits: { memory: '256Mi' } },
  })),
  inPod('containers/application-error-exit', 'containers', () => ({ command: ['sh', '-c', 'cat /etc/app/main.conf'] })),
  inPod('probes/readiness-wrong-port', 'probes', (_, { port }) => ({
    readinessProbe: { httpGet: { path: '/', port: port + 1 }, periodSeconds: 5 },
  })),
  {
    cause: 'scheduling/node-selector-mismatch',
    stage: 'scheduling',
    late: true,
    fits: ({ kind }) => kind !== 'DaemonSet',
    breaks: (manifests, part) =>
      changed(manifests, part.kind, part.name, (object) =>
        withPath(object, ['spec', 'template', 'spec', 'nodeSelector'], { disk: 'fast' }),
      ),
    fault: (part, app) => onWorkload('scheduling/node-selector-mismatch', part, app),
  },
  onService('endpoints/selector-matches-no-pod', (spec, { name }) => withFields(spec, { selector: { app: name, tier: 'front' } })),
  onService('endpoints/target-port-name-not-found', (spec) => withFields(spec, { ports: [{ port: 80, targetPort: 'web' }] })),
  onService('endpoints/target-port-mismatch', (spec, { port }) => withFields(spec, { ports: [{ port: 80, targetPort: port + 1 }] })),
  {
    cause: 'validating-admission/quota-exceeded',
    stage: 'validating-admission',
    late: false,
    wide: true,
    fits: (part, app) => app.podQuota !== undefined && part.kind === 'Deployment' && part.replicas > 1 && app.parts.at(-1) === part,
    breaks: (manifests, part, app) => {
      let others = 0;
      for (const other of app.parts) others += other === part ? 0 : other.kind === 'DaemonSet' ? 3 : other.replicas;
      return changed(manifests, 'ResourceQuota', 'team', (object) => withPath(object, ['spec', 'hard', 'pods'], `${others + 1}`));
    },
    fault: (part, app) => onWorkload('validating-admission/quota-exceeded', part, app, { kind: 'ResourceQuota', name: 'team' }),
  },
  {
    cause: 'traffic/network-policy-denies-all',
    stage: 'traffic',
    late: true,
    wide: true,
    fits: (part, app) => app.closed && part.service,
    breaks: (manifests) => changed(manifests, 'NetworkPolicy', 'own-pods-only', (object) => withPath(object, ['spec', 'ingress'], [])),
    fault: (part, app) => ({
      cause: 'traffic/network-policy-denies-all',
      target: { kind: 'Service', namespace: app.namespace, name: part.name },
      object: undefined,
    }),
  },
];

/** An object that nobody made. */
function without(cause: string, stage: StageId, fits: (part: Part) => boolean, kind: string, nameOf: (part: Part) => string): FaultKind {
  return {
    cause,
    stage,
    late: false,
    fits,
    breaks: (manifests, part) =>
      manifests.filter((object) => !(object['kind'] === kind && dig(object, 'metadata', 'name') === nameOf(part))),
    fault: (part, app) => onWorkload(cause, part, app, { kind, name: nameOf(part) }),
  };
}

/** Something wrong in the container of the part. */
function inPod(cause: string, stage: StageId, change: (container: JsonObject, part: Part) => JsonObject): FaultKind {
  return {
    cause,
    stage,
    late: true,
    fits: () => true,
    breaks: (manifests, part) =>
      changed(manifests, part.kind, part.name, (object) =>
        withPath(
          object,
          ['spec', 'template', 'spec', 'containers'],
          asList(dig(object, 'spec', 'template', 'spec', 'containers')).map((container) =>
            withFields(container as JsonObject, change(container as JsonObject, part)),
          ),
        ),
      ),
    fault: (part, app) => onWorkload(cause, part, app),
  };
}

function onService(cause: string, change: (spec: JsonObject, part: Part) => JsonObject): FaultKind {
  return {
    cause,
    stage: 'endpoints',
    late: true,
    fits: ({ service }) => service,
    breaks: (manifests, part) =>
      changed(manifests, 'Service', part.name, (object) =>
        withFields(object, { spec: change((object['spec'] ?? {}) as JsonObject, part) }),
      ),
    fault: (part, app) => ({ cause, target: { kind: 'Service', namespace: app.namespace, name: part.name }, object: undefined }),
  };
}

function onWorkload(cause: string, part: Part, app: Application, object?: { readonly kind: string; readonly name: string }): DrillFault {
  return {
    cause,
    target: { kind: part.kind, namespace: app.namespace, name: part.name },
    object: object === undefined ? undefined : { kind: object.kind, namespace: app.namespace, name: object.name },
  };
}

function changed(
  manifests: readonly JsonObject[],
  kind: string,
  name: string,
  change: (object: JsonObject) => Json,
): readonly JsonObject[] {
  return manifests.map((object) =>
    object['kind'] === kind && dig(object, 'metadata', 'name') === name ? (change(object) as JsonObject) : object,
  );
}
