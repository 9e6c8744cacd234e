import type { Json, JsonObject } from '../../src/base/json.ts';
import { asObject, dig, isJsonObject } from '../../src/base/json.ts';
import { mergeDiff, withFields } from '../../src/base/json-edit.ts';
import { Prng } from '../../src/base/prng.ts';
import { changeManifest, withUnknownField } from './change-manifest.ts';
import { modelNamed } from '../../src/simulator/apiserver/schema/schema.ts';
import type { ComparedKind } from './kinds.ts';
import { pathOfAll } from './kinds.ts';
import type { Operation, Sequence } from './operation.ts';
import { RUN } from './operation.ts';
import type { Values } from './values.ts';

export interface Generator {
  readonly kinds: readonly ComparedKind[];
  readonly values: Values;
}

const MAX_STEPS = 6;

/** A sequence of operations on one object, the same for a seed (`7/123`) whenever it is made. */
export function sequenceOf({ kinds, values }: Generator, seed: string): Sequence {
  const prng = new Prng(seed);
  const kind = prng.pick(kinds);
  if (kind === undefined) throw new Error('no kind was chosen');
  const around = surroundings(kind, prng.split('surroundings'));
  const draft = new Draft(kind, values, prng);
  const operations = [...around.operations, draft.create(), ...(prng.below(8) === 0 ? [draft.create()] : [])];
  for (let count = 1 + prng.below(MAX_STEPS); count > 0; count--) operations.push(draft.next());
  operations.push(draft.get(), ...(prng.below(2) === 0 ? [draft.remove(), draft.get()] : []));
  return { seed, kind: kind.kind, namespace: around.namespace, operations };
}

/** The object as it is being worked on. */
class Draft {
  readonly #kind: ComparedKind;
  readonly #values: Values;
  readonly #prng: Prng;
  #manifest: JsonObject;

  constructor(kind: ComparedKind, values: Values, prng: Prng) {
    this.#kind = kind;
    this.#values = values;
    this.#prng = prng;
    const base = prng.pick(kind.objects) ?? {};
    this.#manifest = {
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      ...base,
      metadata: { name: kind.name, ...asObject(base['metadata']) },
    };
    this.#change(prng.below(3));
  }

  create(): Operation {
    const prng = this.#prng;
    if (prng.below(5) === 0) return this.#apply('differ', false);
    const { name: _, ...metadata } = asObject(this.#manifest['metadata']);
    const generated = prng.below(15) === 0 && this.#kind.namespaced;
    const body = generated ? withFields(this.#manifest, { metadata: { ...metadata, generateName: 'till-' } }) : this.#manifest;
    return this.#operation('create', 'POST', `${pathOfAll(this.#kind)}${this.#query()}`, { body: this.#maybeUnknown(body) });
  }

  next(): Operation {
    const prng = this.#prng;
    const special = this.#kind.subresources;
    if (special.length > 0 && prng.below(5) === 0) return this.#subresource(prng.pick(special) ?? 'status');
    if (prng.below(20) === 0) return this.#list();
    if (prng.below(25) === 0) return this.remove();
    const before = this.#manifest;
    this.#change(1 + prng.below(2));
    const patch = mergeDiff(before, this.#manifest) ?? {};
    switch (prng.below(6)) {
      case 0:
        return this.#operation('merge patch', 'PATCH', this.#own(), { body: patch, contentType: MERGE });
      case 1:
        return this.#operation('strategic patch', 'PATCH', this.#own(), { body: patch, contentType: STRATEGIC });
      case 2:
        return this.#operation('json patch', 'PATCH', this.#own(), { body: jsonPatch(patch, prng), contentType: JSON_PATCH });
      case 3:
        return this.#apply(prng.pick(['differ', 'other']) ?? '', prng.below(3) === 0);
      default:
        return this.#operation('update', 'PUT', this.#own(), { edit: patch });
    }
  }

  get(): Operation {
    return { ...this.#operation('get', 'GET', `${pathOfAll(this.#kind)}/${this.#kind.name}`, {}), settles: false };
  }

  remove(): Operation {
    const prng = this.#prng;
    const propagationPolicy = prng.pick([undefined, undefined, 'Background', 'Foreground', 'Orphan', 'Sideways']);
    const gracePeriodSeconds = prng.pick([undefined, undefined, undefined, 0, 5, -1]);
    const uid = prng.below(12) === 0 ? '11111111-2222-3333-4444-555555555555' : undefined;
    const body = withoutAbsent({ propagationPolicy, gracePeriodSeconds, preconditions: uid === undefined ? undefined : { uid } });
    const dryRun = prng.below(10) === 0 ? '?dryRun=All' : '';
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', ...body };
    const path = `${pathOfAll(this.#kind)}/${this.#kind.name}${dryRun}`;
    const removal = this.#operation('delete', 'DELETE', path, Object.keys(body).length === 0 ? {} : { body: options });
    // The garbage collector takes finalizers away that a propagation has put there.
    return { ...removal, settles: true };
  }

  #change(times: number): void {
    for (let count = 0; count < times; count++) this.#manifest = changeManifest(this.#values, this.#kind.model, this.#manifest, this.#prng);
  }

  #apply(manager: string, force: boolean): Operation {
    const path = `${pathOfAll(this.#kind)}/${this.#kind.name}?fieldManager=${manager}${force ? '&force=true' : ''}`;
    return this.#operation('apply', 'PATCH', path, { body: this.#maybeUnknown(this.#manifest), contentType: APPLY });
  }

  #list(): Operation {
    const prng = this.#prng;
    const query = prng.pick([
      '',
      '?labelSelector=app%3Dtill',
      '?labelSelector=app+in+(till,other),!tier',
      '?labelSelector=app%3D%3D%3Dx',
      `?fieldSelector=metadata.name%3D${this.#kind.name}`,
      '?fieldSelector=spec.nothing%3Dx',
      '?limit=1',
      '?resourceVersion=x',
    ]);
    const path = this.#kind.namespaced ? `${pathOfAll(this.#kind)}${query ?? ''}` : `${pathOfAll(this.#kind)}?labelSelector=run%3D${RUN}`;
    return { ...this.#operation('list', 'GET', path, {}), settles: false };
  }

  #subresource(name: string): Operation {
    const prng = this.#prng;
    const path = `${pathOfAll(this.#kind)}/${this.#kind.name}/${name}`;
    switch (name) {
      case 'scale': {
        const replicas = prng.pick<Json>([0, 1, 3, -1, 'x']) ?? 0;
        if (prng.below(2) === 0) return this.#operation('scale patch', 'PATCH', path, { body: { spec: { replicas } }, contentType: MERGE });
        return this.#operation('scale', 'PUT', path, { edit: { spec: { replicas } } });
      }
      case 'eviction': {
        const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: this.#kind.name } };
        return this.#operation('evict', 'POST', path, { body });
      }
      case 'binding': {
        const target = { kind: 'Node', name: prng.pick(['worker-9', '']) ?? '' };
        return this.#operation('bind', 'POST', path, {
          body: { apiVersion: 'v1', kind: 'Binding', metadata: { name: this.#kind.name }, target },
        });
      }
      case 'ephemeralcontainers': {
        const container = {
          name: prng.pick(['debug', 'till', 'Bad']) ?? '',
          image: 'busybox',
          ...(prng.below(3) === 0 ? { ports: [{ containerPort: 80 }] } : {}),
        };
        return this.#operation('debug', 'PATCH', path, { body: { spec: { ephemeralContainers: [container] } }, contentType: STRATEGIC });
      }
      case 'resize': {
        const resources =
          prng.pick([{ requests: { cpu: '1' } }, { limits: { cpu: '2' } }, { requests: { cpu: x() } }, { limits: { memory: '2Gi' } }]) ??
          {};
        return this.#operation('resize', 'PATCH', path, {
          body: { spec: { containers: [{ name: 'till', resources }] } },
          contentType: STRATEGIC,
        });
      }
      default:
        return this.#status(path);
    }
  }

  /** The status by hand, with something beside it that the subresource leaves alone. */
  #status(path: string): Operation {
    const prng = this.#prng;
    const status = changeManifest(this.#values, statusModel(this.#kind), {}, prng);
    const metadata = prng.pick<JsonObject>([
      {},
      { labels: { status: 'x' } },
      { annotations: { status: 'x' } },
      { finalizers: ['example.com/status'] },
    ]);
    const beside = prng.below(4) === 0 ? { spec: { paused: true } } : {};
    const body = { ...(Object.keys(asObject(metadata)).length === 0 ? {} : { metadata: metadata ?? {} }), ...beside, status };
    if (prng.below(3) === 0) return this.#operation('status update', 'PUT', path, { edit: body });
    return this.#operation('status patch', 'PATCH', path, { body, contentType: MERGE });
  }

  #own(): string {
    return `${pathOfAll(this.#kind)}/${this.#kind.name}${this.#query()}`;
  }

  #query(): string {
    const pick = this.#prng.below(24);
    return QUERIES[pick] ?? '';
  }

  #maybeUnknown(manifest: JsonObject): JsonObject {
    return this.#prng.below(15) === 0 ? withUnknownField(this.#kind.model, manifest, this.#prng) : manifest;
  }

  #operation(does: string, method: Operation['method'], path: string, more: Partial<Operation>): Operation {
    // The garbage collector takes away what belongs to an owner that does not exist.
    const owned = JSON.stringify(more).includes('"ownerReferences"');
    return { does, method, path, settles: (this.#kind.controlled || owned) && !path.includes('dryRun=All'), ...more };
  }
}

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';

/** Most requests have none. */
const QUERIES: readonly string[] = [
  '?dryRun=All',
  '?fieldValidation=Strict',
  '?fieldValidation=Warn',
  '?fieldValidation=Ignore',
  '?fieldManager=hand',
  '?dryRun=Some',
  '?fieldValidation=Loose',
];

function x(): string {
  return 'x';
}

function statusModel(kind: ComparedKind): string {
  const type = modelNamed(kind.model).fields.get('status')?.type;
  if (type?.is !== 'model') throw new Error(`${kind.kind} has no status`);
  return type.model;
}

function withoutAbsent(object: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** What a merge patch does, step by step; now and then with a test in front, or a path that is not there. */
function jsonPatch(patch: JsonObject, prng: Prng): readonly Json[] {
  const steps: Json[] = [];
  collect(patch, '', steps);
  const odd = prng.below(12);
  if (odd === 0) return [{ op: 'test', path: '/metadata/name', value: 'other' }, ...steps];
  if (odd === 1) return [...steps, { op: 'remove', path: '/metadata/annotations/none' }];
  if (odd === 2) return [...steps, { op: 'move', from: '/metadata/labels', path: '/metadata/annotations' }];
  return steps;
}

function collect(patch: JsonObject, path: string, steps: Json[]): void {
  for (const [name, value] of Object.entries(patch)) {
    const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (value === null) steps.push({ op: 'remove', path: at });
    else if (isJsonObject(value) && path.split('/').length < 3 && Object.keys(value).length > 0) collect(value, at, steps);
    else if (value !== undefined) steps.push({ op: 'add', path: at, value });
  }
}

/** Now and then a namespace with rules of its own for pods. */
function surroundings(kind: ComparedKind, prng: Prng): { readonly namespace: JsonObject; readonly operations: readonly Operation[] } {
  const labels: Record<string, string> = {};
  const operations: Operation[] = [];
  const makes = (plural: string, object: JsonObject): void => {
    operations.push({ does: 'create', method: 'POST', path: `/api/v1/namespaces/${RUN}/${plural}`, body: object, settles: true });
  };
  if (kind.kind === 'Pod' || dig(kind.objects[0], 'spec', 'template') !== undefined || kind.kind === 'PersistentVolumeClaim') {
    const level = prng.pick(['baseline', 'restricted', 'privileged']) ?? '';
    if (prng.below(6) === 0) labels[`pod-security.kubernetes.io/${prng.pick(['enforce', 'warn']) ?? ''}`] = level;
    if (prng.below(8) === 0) {
      const container = prng.pick(LIMITS) ?? {};
      const metadata = { name: 'limits' };
      makes('limitranges', { apiVersion: 'v1', kind: 'LimitRange', metadata, spec: { limits: [container] } });
    }
    if (prng.below(8) === 0) {
      const metadata = { name: 'quota' };
      makes('resourcequotas', { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: prng.pick(QUOTAS) ?? {} });
    }
  }
  return { namespace: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: RUN, labels } }, operations };
}

const LIMITS: readonly JsonObject[] = [
  { type: 'Container', default: { cpu: '200m', memory: '64Mi' }, defaultRequest: { cpu: '100m' }, max: { cpu: '1' }, min: { cpu: '50m' } },
  { type: 'Pod', max: { memory: '1Gi' }, min: { cpu: '10m' } },
  { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
  { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '5Gi' } },
];

const QUOTAS: readonly JsonObject[] = [
  { hard: { pods: '0' } },
  { hard: { 'requests.cpu': '1', 'limits.memory': '1Gi' } },
  { hard: { pods: '1' }, scopes: ['BestEffort'] },
  { hard: { 'count/deployments.apps': '0', 'count/jobs.batch': '0', 'requests.storage': '1Gi' } },
];
