import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Files that only other files of the bundle load, each by a list of names: what is loaded when it is needed is asked for by name. */
const SHARED = /^chunk-[A-Z\d]{8}\.js$/;
const OWN = /export\{([^{}]*)\};?\s*$/;
const TAKEN = /\b(import|export)\{([^{}]*)\}from"(\.{1,2}\/[^"]*)"/g;

/**
 * Shortens the names by which the shared files of the bundle know what they take from each other: they stand in a dozen files, too far apart
 * to be compressed, and say nothing to anybody.
 */
export async function shortenExports(dist) {
  const files = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith('.js'));
  const codes = new Map(await Promise.all(files.map(async (file) => [file, await readFile(join(dist, file), 'utf8')])));
  const names = new Map();
  for (const [file, code] of codes) if (SHARED.test(basename(file))) names.set(basename(file), shortNames(code));
  for (const [file, code] of codes) {
    const own = names.get(basename(file));
    const taken = code.replaceAll(TAKEN, (whole, how, list, from) => {
      const short = names.get(basename(from));
      return short === undefined ? whole : `${how}{${listed(list, (name) => taking(name, short))}}from"${from}"`;
    });
    const shortened = own === undefined ? taken : taken.replace(OWN, (_, list) => `export{${listed(list, (name) => giving(name, own))}};`);
    if (shortened !== code) await writeFile(join(dist, file), shortened);
  }
}

/** The names that a file exports, each with a short one; those that it passes on from others stay. */
function shortNames(code) {
  const list = OWN.exec(code)?.[1] ?? '';
  return new Map(list === '' ? [] : list.split(',').map((part, position) => [part.split(' as ').at(-1), `$${position.toString(36)}`]));
}

function listed(list, change) {
  return list.split(',').map(change).join(',');
}

/** `name` or `name as local`, taken from a file whose names are short. */
function taking(part, short) {
  const [name, local = name] = part.split(' as ');
  const given = short.get(name) ?? name;
  return given === local ? given : `${given} as ${local}`;
}

/** `local` or `local as name`, given to others. */
function giving(part, short) {
  const [local, name = local] = part.split(' as ');
  return `${local} as ${short.get(name)}`;
}
