/**
 * What kubectl writes around the reason of a failure. Sources: cli-runtime pkg/resource/builder.go, kubectl pkg/cmd/apply and
 * pkg/validation.
 */

/** The manifest that an error names: `error when creating "web.yaml": …`. */
export function manifestOfError(text: string): string | undefined {
  return /(?:error when [a-z]{1,30}(?: [a-z]{1,30}){0,8} |error validating |from server for: |recognize |from |decode )"([^"\n]{1,500})"/.exec(
    text,
  )?.[1];
}

/** Without the advice behind every failed validation: it is no part of what failed, and skipping validation mends nothing. */
export function withoutAdvice(text: string): string {
  return text.replace(/; if you choose to ignore these errors, turn validation off with --validate=false$/, '');
}
