import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as bundle } from 'esbuild';

/** Puts the rules, playbooks and examples, checked, as data in the place of `src/catalog/shipped.ts`, which reads them from their files. */
export function shippedData(root) {
  return {
    name: 'shipped-data',
    setup(build) {
      build.onLoad({ filter: /src[\\/]catalog[\\/]shipped\.ts$/ }, async () => {
        const rules = await checkedRules(root);
        const playbooks = await checkedPlaybooks(root);
        const scenarios = await checkedScenarios(root);
        const drills = await checkedDrills(root);
        const examples = await examplesIn(join(root, 'src/catalog/examples'));
        return {
          contents: [
            `const rules = JSON.parse(${JSON.stringify(JSON.stringify(rules))});`,
            `const playbooks = JSON.parse(${JSON.stringify(JSON.stringify(playbooks))});`,
            `const examples = new Map(${JSON.stringify(examples)});`,
            // Parsed only when a scenario is asked for.
            `const scenarios = ${JSON.stringify(JSON.stringify(scenarios))};`,
            `const drills = ${JSON.stringify(JSON.stringify(drills))};`,
            'export const shippedRules = () => Promise.resolve(rules);',
            'export const shippedPlaybooks = () => Promise.resolve(playbooks);',
            'export const shippedScenarios = () => Promise.resolve(JSON.parse(scenarios));',
            'export const shippedDrills = () => Promise.resolve(JSON.parse(drills));',
            'export const shippedExamples = () => Promise.resolve(examples);',
          ].join('\n'),
          loader: 'js',
        };
      });
    },
  };
}

/** All rules, or an error that names each thing that is wrong with one. */
async function checkedRules(root) {
  const { loadRules } = await compiled(root, 'src/catalog/load-rules.ts');
  const { rules, problems } = await loadRules(join(root, 'rules'));
  if (problems.length > 0) throw new Error(problems.map(({ file, line, field, message }) => `${file}:${line}: ${field}: ${message}`).join('\n'));
  if (rules.length === 0) throw new Error('there are no rules in rules/');
  return rules;
}

async function checkedPlaybooks(root) {
  const { loadPlaybooks } = await compiled(root, 'src/catalog/load-playbooks.ts');
  const { playbooks, problems } = await loadPlaybooks(join(root, 'playbooks'));
  if (problems.length > 0) throw new Error(problems.map(({ file, line, field, message }) => `${file}:${line}: ${field}: ${message}`).join('\n'));
  if (playbooks.length === 0) throw new Error('there are no playbooks in playbooks/');
  return playbooks;
}

async function checkedDrills(root) {
  const { loadDrills } = await compiled(root, 'src/catalog/load-drills.ts');
  const { drills, problems } = await loadDrills(join(root, 'playbooks/drills'));
  if (problems.length > 0) throw new Error(problems.map(({ file, line, field, message }) => `${file}:${line}: ${field}: ${message}`).join('\n'));
  if (drills.length === 0) throw new Error('there are no drills in playbooks/drills/');
  return JSON.parse(JSON.stringify(drills).replaceAll(JSON.stringify(`${root}/`).slice(1, -1), ''));
}

/** Where a step stands is said from the root of the package, which is the same on every machine. */
async function checkedScenarios(root) {
  const { loadScenarios } = await compiled(root, 'src/catalog/load-scenarios.ts');
  const { scenarios, problems } = await loadScenarios(join(root, 'rules'));
  if (problems.length > 0) throw new Error(problems.map(({ file, line, field, message }) => `${file}:${line}: ${field}: ${message}`).join('\n'));
  if (scenarios.length === 0) throw new Error('there are no scenarios in rules/');
  return JSON.parse(JSON.stringify(scenarios).replaceAll(JSON.stringify(`${root}/`).slice(1, -1), ''));
}

async function examplesIn(folder) {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.txt')).sort();
  if (files.length === 0) throw new Error(`there are no examples in ${folder}`);
  return Promise.all(files.map(async (file) => [file.slice(0, -'.txt'.length), await readFile(join(folder, file), 'utf8')]));
}

/** A module of the sources: Node 20 cannot run TypeScript by itself. */
async function compiled(root, entry) {
  const folder = await mkdtemp(join(root, 'node_modules/.podcheck-'));
  try {
    const outfile = join(folder, 'module.mjs');
    await bundle({ absWorkingDir: root, entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node', packages: 'external', logLevel: 'error' });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
