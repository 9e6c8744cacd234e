import { dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Line } from '../clean-lines.ts';
import { beginsDescribe } from '../describe/describe.ts';
import { indentOf } from '../describe/sections.ts';
import { readDocuments } from '../documents.ts';
import { readManifest } from '../manifests.ts';
import type { Reading } from '../reading.ts';
import { statusAnswer } from './status-answer.ts';
import { isHeader } from '../tables.ts';

/** Reads the document that begins on a line; the line after it. It goes on to a line that can be neither YAML nor JSON of its own level. */
export function documentAt(lines: readonly Line[], index: number, indent: number, reading: Reading): number | undefined {
  const json = /^[[{]/.test((lines[index]?.text ?? '').slice(indent));
  let end = index + 1;
  while (end < lines.length && !endsDocument(lines, end, indent, json)) end++;
  const body = lines
    .slice(index, end)
    .map((line) => ({ number: line.number, text: line.text.slice(Math.min(indent, indentOf(line.text))) }));
  const answered = statusAnswer(body.map(({ text }) => text).join('\n'));
  if (answered !== undefined) {
    reading.gathering.answers.push({ command: 'kubectl', verb: '', output: answered, order: reading.gathering.answers.length });
    return end;
  }
  const { objects, error } = readDocuments(body, reading.name);
  if (json && error !== undefined && isEntry(body, objects)) return undefined;
  if (error !== undefined) reading.gathering.note(error.line, error.message);
  if (objects.some(wasStored) || (json && error !== undefined)) seeObjects(objects, reading);
  else if (!addManifests(body, json && objects.length === 0, reading)) return undefined;
  return end;
}

/** Entries of logs are short: to read a long text again from each of its lines takes the square of its length. */
const MAX_ENTRY = 100;

/** Whether JSON that breaks off may be an entry of a log. */
function isEntry(body: readonly Line[], objects: readonly KubeObject[]): boolean {
  return objects.length === 0 && body.length <= MAX_ENTRY && body.some(({ text }) => /"(?:message|msg)"/.test(text));
}

function seeObjects(objects: readonly KubeObject[], { gathering }: Reading): void {
  for (const object of objects) {
    gathering.see(object, 'whole');
    if (object.metadata.namespace !== undefined && objects.length === 1) gathering.useContext(object.metadata.namespace);
  }
}

/** Whether there are any: JSON that nothing has read as an object is a manifest only where it names its kind. */
function addManifests(body: readonly Line[], unread: boolean, { gathering, name }: Reading): boolean {
  const manifests = readManifest(body.map((line) => line.text).join('\n'), name, undefined);
  if (unread && !manifests.some(({ spec }) => dig(spec, 'object', 'kind') !== undefined)) return false;
  for (const document of manifests) gathering.manifests.push(document);
  return true;
}

/** Whether an object came from a cluster; otherwise it is a manifest that somebody wrote. */
function wasStored({ metadata, ...rest }: KubeObject): boolean {
  return (
    metadata.uid !== undefined ||
    metadata['resourceVersion'] !== undefined ||
    metadata['creationTimestamp'] !== undefined ||
    rest['status'] !== undefined ||
    rest.kind === 'Event'
  );
}

function endsDocument(lines: readonly Line[], index: number, indent: number, json: boolean): boolean {
  const text = lines[index]?.text ?? '';
  if (text.trim() === '' || indentOf(text) > indent) return false;
  const bare = text.slice(indent);
  if (json) return /^[\]}]/.test(lines[index - 1]?.text.slice(indent) ?? '') && !/^[[\]{}]/.test(bare);
  if (isHeader(text) || beginsDescribe(lines, index)) return true;
  return !/^(?:[\w.$/-]+:(?:\s|$)|"[^"]*":|- |-$|---|#|\.\.\.)/.test(bare);
}
