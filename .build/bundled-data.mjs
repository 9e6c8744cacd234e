import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build as bundle } from 'esbuild';

/**
 * Puts the rules, playbooks and examples, checked, as data in the place of `src/catalog/bundled-data.ts`, which reads them from their
 * files.
 */
export function bundledData(root, dist) {
  let written;
  return {
    name: 'bundled-data',
    setup(build) {
      build.onLoad({ filter: /src[\\/]catalog[\\/]bundled-data\.ts$/ }, async () => {
        const files = await (written ??= writeData(root, join(dist, 'data')));
        return { contents: `const FILES = ${JSON.stringify(files)};\n${READER}`, loader: 'js' };
      });
      // They are published beside the bundle.
      build.onLoad({ filter: /src[\\/]report[\\/]schemas[\\/][\w.-]+\.json$/ }, ({ path }) => ({
        contents: `import { readFileSync } from 'node:fs';
const folder = import.meta.url.includes('/chunks/') ? '../schemas/' : './schemas/';
export default JSON.parse(readFileSync(new URL(folder + ${JSON.stringify(basename(path))}, import.meta.url)));`,
        loader: 'js',
      }));
      build.onLoad({ filter: /src[\\/]model[\\/]fact-kinds[\\/][\w-]+\.ts$/ }, async ({ path }) => {
        if (basename(path) === 'spec.ts') return undefined;
        const exported = Object.entries(await compiled(root, path));
        return { contents: exported.map(([name, value]) => `export const ${name} = ${withoutTexts(value)};`).join('\n'), loader: 'js' };
      });
    },
  };
}

/** Of facts and fields: they stand in the schema of rules, and only who writes a rule reads them. */
function withoutTexts(facts) {
  return JSON.stringify(facts, (key, value) => (key === 'says' && typeof value === 'string' ? undefined : value));
}

/**
 * The names of the files it writes, each with the hash of its content: a program that runs finds what it was built with. One line for
 * each scenario, its id first: whoever wants one reads that line alone.
 */
async function writeData(root, folder) {
  await mkdir(folder, { recursive: true });
  const files = {};
  const write = async (name, extension, content) => {
    files[name] = `${name}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}.${extension}`;
    await writeFile(join(folder, files[name]), content);
  };
  const rules = await checkedRules(root);
  const { inFields } = await compiled(root, 'src/base/in-fields.ts');
  const frames = [...new Set(rules.map((rule) => rule.frames))];
  await write(
    'rules',
    'json.br',
    packed(JSON.stringify({ frames, rules: inFields(rules.map((rule) => ({ ...rule, frames: frames.indexOf(rule.frames) }))) })),
  );
  await write('playbooks', 'json.br', packed(JSON.stringify(await checkedPlaybooks(root))));
  await write('drills', 'json.br', packed(JSON.stringify(await checkedDrills(root))));
  await write('examples', 'json.br', packed(JSON.stringify(await examplesIn(join(root, 'src/catalog/examples')))));
  const scenarios = await checkedScenarios(root);
  const lines = scenarios.map(({ id, ...rest }) => `${JSON.stringify({ id, ...rest })}\n`).join('');
  await write('scenarios', 'jsonl.br', packed(lines));
  return files;
}

/** A third smaller than with gzip: they are much alike. The whole package has a bound. To unpack the rules takes two milliseconds. */
function packed(text) {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length, [constants.BROTLI_PARAM_LGWIN]: 24 } });
}

/** Reads them when they are asked for, once. */
const READER = `import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromFields } from '../base/in-fields.ts';
import { FACT_KINDS } from '../model/fact-kinds.ts';

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(basename(here) === 'chunks' ? dirname(here) : here, 'data');
const known = new Map();
const read = (name, parse = (bytes) => JSON.parse(bytes.toString())) => {
  if (!known.has(name)) known.set(name, parse(readFileSync(join(folder, FILES[name]))));
  return known.get(name);
};
const bytes = () => read('scenarios', brotliDecompressSync);
const readPacked = (name) => read(name, (packed) => JSON.parse(brotliDecompressSync(packed).toString()));
// The rules stand field by field, and those of a stage share their frames.
export const shippedRules = async () => read('rules', (packed) => {
  const { frames, rules } = JSON.parse(brotliDecompressSync(packed).toString());
  return fromFields(rules).map((rule) => ({ ...rule, frames: frames[rule.frames] }));
});
export const shippedFactKinds = async () => {
  const { oneOf } = JSON.parse(readFileSync(join(folder, '../schemas/rule.v1.json'))).$defs.pattern;
  const texts = new Map(oneOf.slice(1).map(({ properties: { fact, where } }) => [fact.const, where]));
  return Object.fromEntries(Object.entries(FACT_KINDS).map(([kind, { fields, ...spec }]) => {
    const { description, properties } = texts.get(kind);
    const told = Object.entries(fields).map(([name, { type, ...field }]) => [name, { type, says: properties[name].description, ...field }]);
    return [kind, { says: description, ...spec, fields: Object.fromEntries(told) }];
  }));
};
export const shippedPlaybooks = async () => readPacked('playbooks');
export const shippedDrills = async () => readPacked('drills');
export const shippedExamples = async () => new Map(readPacked('examples'));
export const shippedScenarios = async () => bytes().toString().split('\\n').slice(0, -1).map((line) => JSON.parse(line));
export const shippedScenario = async (id) => {
  const start = bytes().indexOf(\`{"id":\${JSON.stringify(id)},\`);
  return start < 0 || (start > 0 && bytes()[start - 1] !== 10) ? undefined : JSON.parse(bytes().toString('utf8', start, bytes().indexOf(10, start)));
};
`;

const problemText = ({ file, line, column, field, message }) => `${file}:${line}:${column ?? 1}: ${field}: ${message}`;

/** All rules, or an error that names each thing that is wrong with one. */
async function checkedRules(root) {
  const { loadRules } = await compiled(root, 'src/catalog/load-rules.ts');
  const playbooks = (await checkedPlaybooks(root)).map(({ name }) => name);
  const { rules, problems } = await loadRules(join(root, 'rules'), { playbooks });
  if (problems.length > 0) throw new Error(problems.map(problemText).join('\n'));
  if (rules.length === 0) throw new Error('there are no rules in rules/');
  return rules;
}

async function checkedPlaybooks(root) {
  const { loadPlaybooks } = await compiled(root, 'src/catalog/load-playbooks.ts');
  const { playbooks, problems } = await loadPlaybooks(join(root, 'playbooks'));
  if (problems.length > 0) throw new Error(problems.map(problemText).join('\n'));
  if (playbooks.length === 0) throw new Error('there are no playbooks in playbooks/');
  return playbooks;
}

async function checkedDrills(root) {
  const { loadDrills } = await compiled(root, 'src/catalog/load-drills.ts');
  const { drills, problems } = await loadDrills(join(root, 'playbooks/drills'));
  if (problems.length > 0) throw new Error(problems.map(problemText).join('\n'));
  if (drills.length === 0) throw new Error('there are no drills in playbooks/drills/');
  return JSON.parse(JSON.stringify(drills).replaceAll(JSON.stringify(`${root}/`).slice(1, -1), ''));
}

/** Where a step stands is said from the root of the package, which is the same on every machine. */
async function checkedScenarios(root) {
  const { loadScenarios } = await compiled(root, 'src/catalog/load-scenarios.ts');
  const { scenarios, problems } = await loadScenarios(join(root, 'rules'));
  if (problems.length > 0) throw new Error(problems.map(problemText).join('\n'));
  if (scenarios.length === 0) throw new Error('there are no scenarios in rules/');
  return JSON.parse(JSON.stringify(scenarios).replaceAll(JSON.stringify(`${root}/`).slice(1, -1), ''));
}

async function examplesIn(folder) {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.txt')).sort();
  if (files.length === 0) throw new Error(`there are no examples in ${folder}`);
  return Promise.all(files.map(async (file) => [file.slice(0, -'.txt'.length), await readFile(join(folder, file), 'utf8')]));
}

/** A module of the sources: Node 20 cannot run TypeScript by itself. */
export async function compiled(root, entry) {
  const folder = await mkdtemp(join(root, 'node_modules/.podcheck-'));
  try {
    const outfile = join(folder, 'module.mjs');
    await bundle({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'error',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
