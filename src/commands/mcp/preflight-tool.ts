import { preflightJson } from '../../report/preflight/preflight-json.ts';
import { preflightText } from '../../report/preflight/preflight-text.ts';
import preflightSchema from '../../report/schemas/preflight.v1.json' with { type: 'json' };
import { openEvidence } from '../diagnose/open-evidence.ts';
import { gatherManifests } from '../preflight/manifests.ts';
import { tryManifests } from '../preflight/trial.ts';
import { gatherRules } from '../rules/gather-rules.ts';
import type { Tool } from './tool.ts';
import { NAMESPACE } from './tool.ts';

async function* piecesOf(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  await Promise.resolve();
  yield Buffer.from(text);
}

/** Whether manifests would start, and all that would stop them. */
export const PREFLIGHT: Tool = {
  name: 'preflight',
  title: 'What would stop these manifests in the cluster',
  description:
    'Plays manifests in a simulated clone of the cluster. Lists all that would stop each workload, in order, with its line in the manifests. ' +
    'Nothing is applied to the cluster.',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['manifests'],
    properties: {
      manifests: { type: 'string', minLength: 1, maxLength: 200_000, description: 'YAML or JSON documents, separated by "---".' },
      namespace: NAMESPACE,
    },
  },
  output: preflightSchema,
  answer: async (words, options, context) => {
    const namespace = words['namespace'] === undefined ? options.namespace : String(words['namespace']);
    const text = String(words['manifests']);
    const documents = await gatherManifests({ file: ['-'] }, { ...context, stdin: () => piecesOf(text), stdinIsTerminal: false });
    // All namespaces are read: pods of all of them take room on the nodes.
    const { namespace: _own, ...everywhere } = options;
    const isSaved = options.from !== undefined || options.scenario !== undefined;
    const opened = await openEvidence(isSaved ? everywhere : { ...everywhere, allNamespaces: true }, context, {
      datedByFiles: true,
      logs: false,
    });
    try {
      const rules = await gatherRules(options.rules ?? []);
      const preflight = await tryManifests(documents, {
        opened,
        isSaved: options.from !== undefined,
        preset: undefined,
        namespace,
        seed: undefined,
        rules,
        context,
      });
      return { data: preflightJson(preflight), text: preflightText(preflight, context.look, false) };
    } finally {
      opened.close();
    }
  },
};
