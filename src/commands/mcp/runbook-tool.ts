import { PodcheckError } from '../../base/errors.ts';
import { nearest } from '../../base/text.ts';
import { shippedPlaybooks } from '../../catalog/bundled-data.ts';
import { playbookText } from '../../report/playbooks/playbook-text.ts';
import { gatherRules } from '../rules/gather-rules.ts';
import { playbooksForRule } from '../runbook/runbook-books.ts';
import type { Tool } from './tool.ts';

/** The procedure for a cause: what to look at, what to decide, and what to change. */
export const RUNBOOK_FOR: Tool = {
  name: 'runbook_for',
  title: 'The on-call procedure for a cause',
  description:
    'Shows the playbook for a cause: the steps to confirm it, to decide and to fix it. A person runs it with `podcheck runbook run`; this tool runs nothing.',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['cause'],
    properties: {
      cause: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        description: 'Rule of the cause, as diagnose gives it: volumes/configmap-not-found.',
      },
    },
  },
  output: {
    type: 'object',
    additionalProperties: false,
    required: ['cause', 'playbooks'],
    properties: {
      cause: { type: 'string' },
      playbooks: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['name', 'title', 'run'],
          properties: { name: { type: 'string' }, title: { type: 'string' }, run: { type: 'string' } },
        },
      },
    },
  },
  answer: async (words, options, context) => {
    const cause = String(words['cause']).trim();
    const rules = await gatherRules(options.rules ?? []);
    if (!rules.some(({ id }) => id === cause)) {
      const near = nearest(
        cause,
        rules.map(({ id }) => id),
      );
      throw new PodcheckError(
        'usage',
        `"${cause}" is not a known cause`,
        near.length === 0 ? 'diagnose gives the rule of a cause' : `did you mean ${near.join(' or ')}?`,
      );
    }
    const playbooks = playbooksForRule(cause, rules, await shippedPlaybooks());
    const [first, ...others] = playbooks;
    const also = others.map(({ name, title }) => `Also: ${name} (${title})\n`);
    return {
      data: {
        cause,
        playbooks: playbooks.map(({ name, title }) => ({ name, title, run: `podcheck runbook run ${name} KIND/NAMESPACE/NAME` })),
      },
      text: first === undefined ? `No playbook is for ${cause}.\n` : [playbookText(first, context.look), ...also].join(''),
    };
  },
};
