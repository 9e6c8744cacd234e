import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { PodcheckError } from '../../src/base/errors.ts';
import type { Instant } from '../../src/base/instant.ts';
import { parseInstant } from '../../src/base/instant.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { asList, asObject, asText, asTextMap, dig, isJsonObject } from '../../src/base/json.ts';
import type { Fault } from '../../src/simulator/outside/faults.ts';
import type { MachineSpec } from '../../src/simulator/outside/machine.ts';

/** What stands beside the recordings: the cluster they were made on, and what happened there outside of kubectl. */
export interface Setups {
  readonly machines: readonly (Partial<MachineSpec> & { readonly name: string })[];
  /** Nodes without a machine: objects whose lease somebody renews. Only in recordings that list them. */
  readonly unmanned: readonly UnmannedNode[];
  readonly faults: readonly Fault[];
  /** ConfigMaps that the recorded build's controller manager puts into every namespace beside `kube-root-ca.crt`. */
  readonly published: readonly JsonObject[];
  /** What a mark of a recording did to its cluster, by what the mark says. */
  readonly marks: readonly Mark[];
  /** By the name of the file, or a word of it. */
  readonly kubeconfigs: ReadonlyMap<string, KubeconfigSetup>;
  /** The context of the usual kubeconfig. */
  readonly context: string | undefined;
  readonly captures: ReadonlyMap<string, CaptureSetup>;
  /** Paths the recorded node was configured with, and the usual ones. */
  readonly places: ReadonlyMap<string, string>;
  /** When the recorded cluster's controllers were started, in the order of time: the rounds they make are counted from there. */
  readonly controllersStarted: readonly Instant[];
  /** The address clients reached the API server at. */
  readonly serverAddress: string | undefined;
  /** Commands that are not compared, by a word of them, with the reason. */
  readonly leftOut: readonly { readonly command: string; readonly reason: string }[];
}

/** `says`: words that all stand in it, in whatever case. */
export interface Mark {
  readonly says: readonly string[];
  readonly faults: readonly Fault[];
}

export interface UnmannedNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly JsonObject[];
  readonly capacity: Readonly<Record<string, string>>;
}

/** Who a kubeconfig file stands for. */
export type KubeconfigSetup =
  | { readonly user: string; readonly groups: readonly string[]; readonly issuer: string | undefined }
  | { readonly tokenOf: string }
  | { readonly anonymous: true }
  | { readonly unreachable: string }
  | { readonly missing: true };

export interface CaptureSetup {
  readonly faults: readonly Fault[];
  readonly marks: readonly Mark[];
  /** What befell the machine at which moment without a remark: the recordings before it left it so. */
  readonly meanwhile: readonly { readonly at: Instant; readonly faults: readonly Fault[] }[];
  /** Why the recording is not compared at all. */
  readonly outside: string | undefined;
}

export const NO_SETUP: CaptureSetup = { faults: [], marks: [], meanwhile: [], outside: undefined };

export function readSetups(file: string): Setups {
  const document = parseDocument(readFileSync(file, 'utf8'));
  const [error] = document.errors;
  if (error !== undefined) throw new PodcheckError('bad-input', `${file}: ${error.message}`, 'correct the YAML');
  const root = document.toJS() as Json;
  return {
    machines: asList(dig(root, 'machines')) as unknown as Setups['machines'],
    unmanned: asList(dig(root, 'unmanned')).map(unmannedOf),
    faults: faultsOf(dig(root, 'faults')),
    published: asList(dig(root, 'published')).filter(isJsonObject),
    marks: marksOf(dig(root, 'marks')),
    kubeconfigs: new Map(Object.entries(asObject(dig(root, 'kubeconfigs'))).map(([name, given]) => [name, kubeconfigOf(given)])),
    context: asText(dig(root, 'context')),
    captures: new Map(Object.entries(asObject(dig(root, 'captures'))).map(([name, given]) => [name, captureOf(given)])),
    places: new Map(Object.entries(asTextMap(dig(root, 'places')))),
    controllersStarted: asList(dig(root, 'controllersStarted')).flatMap((at) => parseInstant(at) ?? []),
    serverAddress: asText(dig(root, 'serverAddress')),
    leftOut: asList(dig(root, 'leftOut')).map((entry) => ({
      command: asText(dig(entry, 'command')) ?? '',
      reason: asText(dig(entry, 'reason')) ?? '',
    })),
  };
}

function unmannedOf(given: Json): UnmannedNode {
  return {
    name: asText(dig(given, 'name')) ?? '',
    labels: asTextMap(dig(given, 'labels')),
    taints: asList(dig(given, 'taints')).filter(isJsonObject),
    capacity: asTextMap(dig(given, 'capacity')),
  };
}

function captureOf(given: Json | undefined): CaptureSetup {
  return {
    faults: faultsOf(dig(given, 'faults')),
    marks: marksOf(dig(given, 'marks')),
    meanwhile: asList(dig(given, 'meanwhile')).map((one) => ({
      at: parseInstant(dig(one, 'at')) ?? 0,
      faults: faultsOf(dig(one, 'faults')),
    })),
    outside: asText(dig(given, 'outside')),
  };
}

function wordsOf(given: Json | undefined): readonly string[] {
  const words = typeof given === 'string' ? [given] : asList(given);
  return words.map((word) => (asText(word) ?? '').toLowerCase());
}

function marksOf(given: Json | undefined): readonly Mark[] {
  return asList(given).map((mark) => ({ says: wordsOf(dig(mark, 'says')), faults: faultsOf(dig(mark, 'faults')) }));
}

function faultsOf(given: Json | undefined): readonly Fault[] {
  return asList(given) as unknown as readonly Fault[];
}

function kubeconfigOf(given: Json | undefined): KubeconfigSetup {
  const tokenOf = asText(dig(given, 'tokenOf'));
  const unreachable = asText(dig(given, 'unreachable'));
  if (dig(given, 'missing') === true) return { missing: true };
  if (dig(given, 'anonymous') === true) return { anonymous: true };
  if (tokenOf !== undefined) return { tokenOf };
  if (unreachable !== undefined) return { unreachable };
  return { user: asText(dig(given, 'user')) ?? '', groups: asList(dig(given, 'groups')).map(String), issuer: asText(dig(given, 'issuer')) };
}
