import type { Instant } from '../base/instant.ts';
import type { Check, Place } from '../report/pipeline/check.ts';
import { githubAnnotations } from '../report/pipeline/github.ts';
import { gitlabJson } from '../report/pipeline/gitlab.ts';
import { junitXml } from '../report/pipeline/junit.ts';
import { sarifJson } from '../report/pipeline/sarif.ts';
import type { CommandContext } from './context.ts';
import type { PIPELINE } from './formats.ts';
import { dataText } from './output-format.ts';

/** Checks as the service that runs a pipeline reads them. */
export async function pipelineText(
  checks: readonly Check[],
  format: (typeof PIPELINE)[number],
  at: Instant,
  { version = '' }: Pick<CommandContext, 'version'>,
): Promise<string> {
  switch (format) {
    case 'sarif':
      return dataText(sarifJson(checks, version), 'json');
    case 'gitlab':
      return dataText(gitlabJson(checks), 'json');
    case 'junit':
      return junitXml(checks, at);
    case 'github':
      return githubAnnotations(checks);
  }
}

/** The file that evidence was read from, where it is just one. */
export function placeOfSource({ from = [] }: { readonly from?: readonly string[] }): Place | undefined {
  const [file, ...more] = from;
  return file === undefined || more.length > 0 || /^-$|^example(?::|$)/.test(file) ? undefined : { file };
}
