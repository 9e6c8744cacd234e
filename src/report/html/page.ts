import { sha256Base64 } from '../../base/sha256.ts';
import type { Html } from './markup.ts';
import { html } from './markup.ts';
import { STYLE } from './style.ts';

export interface Page {
  /** In the title of the window and as the heading. */
  readonly title: string;
  readonly body: readonly Html[];
}

/**
 * One self-contained page: no script, nothing from elsewhere, and a policy that lets a browser load nothing, whatever the texts in it try.
 * Only the style that stands in it counts, by its hash.
 */
export function page({ title, body }: Page): string {
  const policy = `default-src 'none'; style-src 'sha256-${sha256Base64(new TextEncoder().encode(STYLE))}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${{ html: policy }}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${{ html: STYLE }}</style></head>
<body><main>
<h1>${title}</h1>
${body.map((part) => html`${part}\n`)}</main></body></html>
`.html;
}
