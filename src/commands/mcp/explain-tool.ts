import { explained } from '../explain.ts';
import type { Tool } from './tool.ts';

/** What a word means. */
export const EXPLAIN: Tool = {
  name: 'explain',
  title: 'What a stage, a rule or a status word means',
  description:
    'Explains a stage (volumes), a rule (volumes/configmap-not-found), a playbook or a status word of Kubernetes (CrashLoopBackOff).',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['word'],
    properties: { word: { type: 'string', minLength: 1, maxLength: 200, description: 'The stage, rule, playbook or status word.' } },
  },
  output: {
    type: 'object',
    additionalProperties: false,
    required: ['word', 'explanation'],
    properties: { word: { type: 'string' }, explanation: { type: 'string' } },
  },
  answer: async (words, options, context) => {
    const word = String(words['word']).trim();
    const text = await explained(word, options, context.look);
    return { data: { word, explanation: text }, text };
  },
};
