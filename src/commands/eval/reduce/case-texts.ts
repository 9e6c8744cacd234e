import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { reasonToLeaveOut } from '../../../clusters/snapshot/ignored-file.ts';
import { readText } from '../../../files/read-bounded.ts';
import { yamlText } from '../../yaml-text.ts';
import { eventsTable } from './events-table.ts';

/** What a case has to cut: what a terminal showed, and what the API answered in JSON, as a person would paste it. */
export interface CaseTexts {
  /** All of its texts, one after the other; empty where it has none. */
  readonly text: string;
  /** Objects but events as YAML. */
  readonly yaml?: string;
  /** Events as a table. */
  readonly events?: string;
}

/**
 * Reads the texts and the lists of objects that lie in a case's own folder, but for what no diagnosis reads: the answer, the state after
 * the fix. Throws a PodcheckError (bad-input) for a file that cannot be read.
 */
export async function readCaseTexts(folder: string): Promise<CaseTexts> {
  const files = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
  const names = files.filter((name) => reasonToLeaveOut(name, new Set(files)) === undefined);
  const texts: string[] = [];
  const objects: Json[] = [];
  for (const name of names.filter((each) => each.endsWith('.txt'))) texts.push(await fileText(folder, name));
  for (const name of names.filter((each) => each.endsWith('.json'))) {
    const list = parsed(await fileText(folder, name));
    for (const item of Array.isArray(list) ? (list as readonly Json[]) : asList(dig(list, 'items'))) objects.push(item);
  }
  const events = objects.filter((object) => dig(object, 'kind') === 'Event' || asText(dig(object, 'involvedObject', 'kind')) !== undefined);
  const others = objects.filter((object) => !events.includes(object) && dig(object, 'kind') !== undefined);
  return {
    text: texts.join('\n'),
    ...(others.length === 0 ? {} : { yaml: yamlText({ apiVersion: 'v1', kind: 'List', items: others }) }),
    ...(events.length === 0 ? {} : { events: eventsTable(events) }),
  };
}

function fileText(folder: string, name: string): Promise<string> {
  return readText(join(folder, name), 'a text of the case', 'Remove the file, or make it readable.');
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
