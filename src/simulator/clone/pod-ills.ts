import { parseInstant } from '../../base/instant.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asNumber, asText, dig, isJsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Fault } from '../outside/faults.ts';
import { parseImage } from '../images/image-reference.ts';
import { amountOf } from '../kubelet/pods/pod-fields.ts';

/**
 * What keeps containers from running for reasons that no object tells: images that could not be pulled go on so, with the words they
 * failed with; programs that exit, use too much memory or do not become ready go on so too. `restored` has the machines' names.
 */
export function faultsOfPods(restored: readonly KubeObject[], seen: readonly KubeObject[]): readonly Fault[] {
  const nodes = new Set(restored.filter(({ kind }) => kind === 'Node').map(({ metadata }) => metadata.name));
  const containers = seen.filter(({ kind }) => kind === 'Pod').flatMap(containersOf);
  return [...imagesOnMachines(containers, nodes), ...failingPulls(containers), ...behaviours(containers)];
}

interface SeenContainer {
  readonly pod: KubeObject;
  readonly name: string;
  readonly image: string;
  readonly spec: JsonObject;
  readonly status: Json | undefined;
}

function containersOf(pod: KubeObject): readonly SeenContainer[] {
  const statuses = ['initContainerStatuses', 'containerStatuses'].flatMap((field) => asList(dig(pod, 'status', field)));
  return ['initContainers', 'containers']
    .flatMap((field) => asList(dig(pod, 'spec', field)))
    .filter(isJsonObject)
    .map((spec) => {
      const name = asText(spec['name']) ?? '';
      return { pod, name, image: asText(spec['image']) ?? '', spec, status: statuses.find((status) => dig(status, 'name') === name) };
    });
}

/** Images of containers that were started are on their machines. */
function imagesOnMachines(containers: readonly SeenContainer[], nodes: ReadonlySet<string>): readonly Fault[] {
  const images = new Map<string, Set<string>>();
  for (const { pod, image, status } of containers) {
    const node = asText(dig(pod, 'spec', 'nodeName'));
    if (node === undefined || !nodes.has(node) || (asText(dig(status, 'imageID')) ?? '') === '') continue;
    images.set(node, (images.get(node) ?? new Set()).add(image));
  }
  return [...images].map(([what, names]): Fault => ({ fault: 'part', part: 'machine', what, with: { images: [...names] } }));
}

const PULL_REASONS: readonly string[] = ['ErrImagePull', 'ImagePullBackOff', 'RegistryUnavailable', 'SignatureValidationFailed'];

function failingPulls(containers: readonly SeenContainer[]): readonly Fault[] {
  const byRegistry = new Map<string, Record<string, string>>();
  for (const { image, status } of containers) {
    const reference = parseImage(image);
    if ('trouble' in reference || !PULL_REASONS.includes(asText(dig(status, 'state', 'waiting', 'reason')) ?? '')) continue;
    const said = /^(?:Back-off pulling image .{1,600}?: ErrImagePull: )?((?:rpc error|failed to|unable to)[\s\S]{1,4000})$/.exec(
      asText(dig(status, 'state', 'waiting', 'message')) ?? '',
    )?.[1];
    const failing = byRegistry.get(reference.registry) ?? {};
    byRegistry.set(reference.registry, failing);
    failing[reference.normalized] =
      said ?? failing[reference.normalized] ?? `rpc error: code = Unknown desc = failed to pull and unpack image "${reference.normalized}"`;
  }
  return [...byRegistry].map(([what, failing]): Fault => ({ fault: 'part', part: 'registry', what, with: { failing } }));
}

/** A behaviour is the image's, so what runs well anywhere is not taken to fail. */
function behaviours(containers: readonly SeenContainer[]): readonly Fault[] {
  const well = new Set(containers.filter(({ status }) => dig(status, 'ready') === true).map(keyOf));
  const ills = new Map<string, JsonObject>();
  for (const container of containers) {
    const ill = well.has(keyOf(container)) ? undefined : illOf(container);
    if (ill !== undefined) ills.set(keyOf(container), ill);
  }
  return [...ills].map(([what, given]): Fault => ({ fault: 'part', part: 'behaviour', what, with: given }));
}

function keyOf({ image, name }: SeenContainer): string {
  return `${image}#${name}`;
}

function illOf(container: SeenContainer): JsonObject | undefined {
  const { status } = container;
  const over = ['Succeeded', 'Failed'].includes(asText(dig(container.pod, 'status', 'phase')) ?? '');
  const ended = dig(status, 'state', 'terminated') ?? dig(status, 'lastState', 'terminated');
  const code = asNumber(dig(ended, 'exitCode'));
  if (code !== undefined && (asNumber(dig(status, 'restartCount')) ?? 0) + (over ? 1 : 0) > 0 && dig(status, 'ready') !== true)
    return exit(container, ended, code);
  if (dig(status, 'state', 'running') === undefined || dig(status, 'ready') !== false) return undefined;
  return unready(container);
}

/** Killed for memory, it wanted a tenth more than it may have; else it ends as it did, after as long. */
function exit({ spec }: SeenContainer, ended: Json | undefined, code: number): JsonObject {
  const limit = amountOf(dig(spec, 'resources', 'limits', 'memory'));
  const [from, to] = [parseInstant(dig(ended, 'startedAt')), parseInstant(dig(ended, 'finishedAt'))];
  const afterSeconds = from === undefined || to === undefined ? 1 : Math.max(0.5, (to - from) / 1000);
  if (dig(ended, 'reason') === 'OOMKilled' && limit !== undefined)
    return { memory: [{ afterSeconds: Math.min(afterSeconds, 60), bytes: Math.round(limit * 1.1) }] };
  return { exits: { code, afterSeconds } };
}

/** What readiness asks fails: its path is answered with 503, or nothing listens. */
function unready({ spec }: SeenContainer): JsonObject | undefined {
  const probe = dig(spec, 'readinessProbe') ?? dig(spec, 'startupProbe');
  const path = asText(dig(probe, 'httpGet', 'path'));
  if (dig(probe, 'httpGet') !== undefined) return { answers: [{ path: path ?? '/', status: 503 }] };
  return dig(probe, 'tcpSocket') !== undefined || dig(probe, 'grpc') !== undefined ? { listens: [] } : undefined;
}
