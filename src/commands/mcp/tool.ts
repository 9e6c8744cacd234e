import type { JsonObject } from '../../base/json.ts';
import type { CommandContext } from '../context.ts';
import type { RuleOptions, SourceOptions } from '../options.ts';

/** The cluster and the rules of all calls: chosen by who starts the server, never by who calls. */
export type FixedOptions = SourceOptions & RuleOptions;

/** What a tool answers with: the contract of `-o json`, and the same for a reader. */
export interface Answer {
  readonly data: JsonObject;
  readonly text: string;
}

/** One question that can be asked. No tool changes a cluster, and none gives an object, a Secret or a kubeconfig. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of an object; what it does not name is refused. */
  readonly input: JsonObject;
  readonly output: JsonObject;
  /** Throws a PodcheckError for what cannot be answered: its words go to the caller. */
  readonly answer: (words: Words, options: FixedOptions, context: CommandContext) => Promise<Answer>;
}

/** The arguments of a call, as the input schema lets them be. */
export type Words = Readonly<Record<string, string | number | undefined>>;

/** The options of one call: its namespace goes before that of the server. */
export function optionsOf(options: FixedOptions, { namespace }: Words): FixedOptions {
  if (namespace === undefined) return options;
  const { allNamespaces: _all, ...others } = options;
  return { ...others, namespace: String(namespace) };
}

export const NAMESPACE: JsonObject = { type: 'string', maxLength: 253, description: 'Namespace; without it the namespace of the server.' };
