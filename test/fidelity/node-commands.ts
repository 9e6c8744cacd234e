import { parseDuration } from '../../src/base/duration.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { asList, asText, dig } from '../../src/base/json.ts';
import { largest } from '../../src/base/lists.ts';
import type { CommandLine } from './command-line.ts';
import type { CommandAnswer, Terminal } from './kubectl-terminal.ts';
import { addressOf, failed, send } from './kubectl-terminal.ts';

/** A command about nodes; undefined for any other. */
export function nodeCommand(command: CommandLine, terminal: Terminal): CommandAnswer | undefined {
  const [, verb, ...words] = command.words;
  switch (verb) {
    case 'taint':
      return taintNodes(command, words.slice(1), terminal);
    case 'cordon':
    case 'uncordon':
      return joined(words.map((node) => terminal.cluster.run({ command: verb, node: node.replace(/^nodes?\//, '') })));
    case 'drain':
      return drainNode(command, words[0] ?? '', terminal);
    default:
      return undefined;
  }
}

function joined(answers: readonly CommandAnswer[]): CommandAnswer {
  return { output: answers.map(({ output }) => output).join('\n'), exitCode: largest([0, ...answers.map(({ exitCode }) => exitCode)]) };
}

/** Recordings keep what went to standard error apart: it comes after all the rest. */
function drainNode({ options }: CommandLine, node: string, { cluster }: Terminal): CommandAnswer {
  const timeout = options.get('timeout');
  const { output, exitCode } = cluster.run({
    command: 'drain',
    node: node.replace(/^nodes?\//, ''),
    ignoreDaemonSets: options.get('ignore-daemonsets') === 'true',
    deleteEmptyDirData: options.get('delete-emptydir-data') === 'true',
    force: options.get('force') === 'true',
    ...(timeout === undefined ? {} : { timeoutSeconds: parseDuration(timeout) ?? 0 }),
  });
  const lines = output.split('\n');
  const isProgress = (line: string): boolean => /^node\/\S+ |^evicting pod |^pod\/\S+ evicted$/.test(line);
  return { output: [...lines.filter(isProgress), ...lines.filter((line) => !isProgress(line))].join('\n'), exitCode };
}

/** kubectl goes from node to node, and each takes it so long. */
const NODE_MILLISECONDS = 8;

function taintNodes({ options }: CommandLine, words: readonly string[], terminal: Terminal): CommandAnswer | undefined {
  const at = addressOf('node', undefined);
  if (at === undefined) return undefined;
  const listed = send(terminal, { verb: 'list', ...at });
  if (!listed.ok) return failed(listed, '');
  const all = options.get('all') === 'true';
  const nodes = asList(listed.object['items']).filter((node) => all || words[0] === asText(dig(node, 'metadata', 'name')));
  const given = words.filter((word) => word.includes(':') || word.endsWith('-'));
  const removes = given.some((word) => word.endsWith('-'));
  const lines: string[] = [];
  for (const [index, node] of nodes.entries()) {
    if (index > 0) terminal.cluster.advance(NODE_MILLISECONDS);
    const name = asText(dig(node, 'metadata', 'name')) ?? '';
    const kept = asList(dig(node, 'spec', 'taints')).filter(
      (taint) => !given.some((word) => word.split(/[=:-]/)[0] === asText(dig(taint, 'key'))),
    );
    const added = given
      .filter((word) => !word.endsWith('-'))
      .map((word): JsonObject => {
        const [pair = '', effect = ''] = word.split(':');
        const [key = '', value] = pair.split('=');
        return { key, ...(value === undefined ? {} : { value }), effect };
      });
    const answer = send(terminal, {
      verb: 'patch',
      ...at,
      name,
      patch: { type: 'merge', body: { spec: { taints: [...kept, ...added] } } },
      manager: 'kubectl-taint',
    });
    if (!answer.ok) return failed(answer, '');
    lines.push(`node/${name} ${removes ? 'untainted' : 'tainted'}`);
  }
  return { output: lines.join('\n'), exitCode: 0 };
}
