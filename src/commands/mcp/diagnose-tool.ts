import { diagnosisJson } from '../../report/diagnosis/diagnosis-json.ts';
import { diagnosisText } from '../../report/diagnosis/diagnosis-text.ts';
import diagnosisSchema from '../../report/schemas/diagnosis.v1.json' with { type: 'json' };
import { lookOnce } from '../diagnose/diagnose.ts';
import { sourceFlags } from '../diagnose/source-flags.ts';
import type { Tool } from './tool.ts';
import { NAMESPACE, optionsOf } from './tool.ts';

/** Why one object does not come up. */
export const DIAGNOSE: Tool = {
  name: 'diagnose',
  title: 'Why a pod or workload does not come up',
  description:
    'Names the one cause that keeps a pod or workload from coming up, with stage, proof and fix. ' +
    'Says what could not be read instead of guessing. Works for workloads without a pod, for Services, claims and nodes.',
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      target: {
        type: 'string',
        maxLength: 600,
        description: 'NAME, KIND/NAME or KIND/NAMESPACE/NAME; without it the only unhealthy object of the namespace.',
      },
      namespace: NAMESPACE,
    },
  },
  output: diagnosisSchema,
  answer: async (words, options, context) => {
    const asked = optionsOf(options, words);
    const diagnosis = await lookOnce(
      words['target'] === undefined ? {} : { word: String(words['target']) },
      asked,
      context,
      () => undefined,
    );
    return {
      data: diagnosisJson(diagnosis),
      text: diagnosisText(diagnosis, context.look, { wide: false, timeline: false, flags: sourceFlags(asked) }),
    };
  },
};
