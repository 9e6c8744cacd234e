import type { Json, JsonObject } from '../../base/json.ts';
import { asText, dig, isJsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { resourceOfKind } from '../../model/resources.ts';
import { parseKubeYaml } from '../../base/yaml/kube-yaml.ts';
import type { Line } from './clean-lines.ts';
import { indentOf } from './describe/sections.ts';
import type { Gathering } from './gathering.ts';
import { readLeftovers } from './loose/leftovers.ts';
import type { Reading } from './reading.ts';

const MAX_MESSAGES = 50;
const MAX_DEPTH = 8;
/** Conditions that are bad news when they hold: of OpenShift's operators, Flux, Kubernetes itself. */
const BAD_NEWS = /(?:Degraded|Fail(?:ed|ing|ure)|Stalled|Error|Invalid\w{0,40})$/;
/** States of objects and of their parts that need no explanation: of Tekton, Argo, Flux, Knative. */
const WELL = /^(?:True|Succeeded|Running|Synced|Healthy|Ready|Available|Active|Bound|Completed?|Deployed|Valid)$/i;

/** How much was gathered before a segment. */
export interface Mark {
  readonly sightings: number;
  readonly events: number;
}

export function markOf({ sightings, events }: Gathering): Mark {
  return { sightings: sightings.length, events: events.length };
}

/**
 * Objects of kinds that have no reader (a TaskRun, a HelmRelease, an Application) pass on what another component said: in their status
 * and in their events. That is read as if it stood alone.
 */
export function readCustomResources(output: readonly Line[], reading: Reading, since: Mark): void {
  const { gathering } = reading;
  const found = new Set<string>();
  for (const { object } of gathering.sightings.slice(since.sightings)) if (isCustom(object)) collect(dig(object, 'status'), found, 0);
  for (const { object } of gathering.events.slice(since.events)) {
    const message = asText(dig(object, 'message'));
    if (message !== undefined && isOfCustom(object)) found.add(message);
  }
  for (const message of foldedMessages(output, reading)) found.add(message);
  if (found.size === 0) return;
  const lines = [...found].slice(0, MAX_MESSAGES).map((message) => ({
    number: lineOf(message, output),
    text: message
      .split('\n')
      .map((part) => part.trim())
      .join(' '),
  }));
  for (const { number, text } of readLeftovers(lines, reading)) gathering.looseTexts.push({ text: text.trim(), line: number });
}

const STATUS = /^\s{0,40}(?:status|conditions):\s*$/;
const MAX_PARTS = 10;

/** Messages that stand in several lines within a status of which nothing says whose it is: line by line they say nothing. */
function foldedMessages(output: readonly Line[], { gathering, name }: Reading): readonly string[] {
  const parts = output.flatMap(({ text, number }, index) => (STATUS.test(text) && !gathering.isExplained(number) ? [index] : []));
  const found = new Set<string>();
  for (const start of parts.slice(0, MAX_PARTS)) {
    const indent = indentOf(output[start]?.text ?? '');
    const end = output.findIndex(({ text }, index) => index > start && text.trim() !== '' && !goesDeeper(text, indent));
    const part = output.slice(start, end < 0 ? undefined : end).map(({ text }) => text.slice(indent));
    for (const { value } of parseKubeYaml(part.join('\n'), name).documents) collect(value, found, 0);
  }
  return [...found].filter((message) => !output.some(({ text }) => text.includes(message)));
}

/** Members of a list stand at the level of its field. */
function goesDeeper(text: string, indent: number): boolean {
  const own = indentOf(text);
  return own > indent || (own === indent && text.startsWith('- ', indent));
}

/** Whether an event warns of an object of a kind that no collector reads. Whose pods were refused is known by the reason, whatever the kind. */
function isOfCustom(event: KubeObject): boolean {
  const kind = asText(dig(event, 'involvedObject', 'kind'));
  return kind !== undefined && resourceOfKind(kind) === undefined && event['type'] === 'Warning' && event['reason'] !== 'FailedCreate';
}

/** Whether an object is of a kind that no collector reads, and has a status. */
export function isCustom({ kind, status }: Pick<KubeObject, 'kind'> & { readonly status?: unknown }): boolean {
  return resourceOfKind(kind) === undefined && status !== undefined;
}

/** The messages in a status, but for those of what is as it should be. */
function collect(value: Json | undefined, found: Set<string>, depth: number): void {
  if (depth > MAX_DEPTH || found.size >= MAX_MESSAGES) return;
  if (Array.isArray(value)) for (const one of value as readonly Json[]) collect(one, found, depth + 1);
  else if (isJsonObject(value)) {
    const [message, reason] = [asText(value['message']), asText(value['reason'])];
    // A challenge of cert-manager gives its reason in a sentence.
    const said = message ?? (reason?.includes(' ') === true ? reason : undefined);
    if (said !== undefined && said.trim() !== '' && !isWell(value)) found.add(said.trim());
    const managed = managedRow(value);
    if (managed !== undefined) found.add(managed);
    else for (const [field, inner] of Object.entries(value)) if (field !== 'message') collect(inner, found, depth + 1);
  }
}

/** What an Application says of an object that it manages, as `argocd app get` prints it: the message alone does not say of which object. */
function managedRow(value: JsonObject): string | undefined {
  const [kind, name, message] = [asText(value['kind']), asText(value['name']), asText(dig(value, 'health', 'message'))];
  if (kind === undefined || name === undefined || message === undefined || WELL.test(asText(dig(value, 'health', 'status')) ?? ''))
    return undefined;
  const [namespace, status] = [asText(value['namespace']) ?? '', asText(value['status']) ?? 'Synced'];
  return `${kind} ${namespace} ${name} ${status} ${asText(dig(value, 'health', 'status')) ?? ''} ${message}`;
}

function isWell(part: Json): boolean {
  const [type, status] = [asText(dig(part, 'type')) ?? '', asText(dig(part, 'status')) ?? asText(dig(part, 'phase')) ?? ''];
  return BAD_NEWS.test(type) ? status === 'False' : WELL.test(status);
}

/** The line that has the message, or its beginning. */
function lineOf(message: string, output: readonly Line[]): number {
  const beginning = message.slice(0, 30);
  return (output.find(({ text }) => text.includes(beginning)) ?? output[0])?.number ?? 1;
}
