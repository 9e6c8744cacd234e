import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { block, html } from '../../../src/report/html/markup.ts';
import { page } from '../../../src/report/html/page.ts';
import { sectionHtml } from '../../../src/report/html/sections.ts';
import { PALETTES, STYLE } from '../../../src/report/html/style.ts';
import { HOSTILE } from '../../support/hostile.ts';
import { renderedHtml } from '../../support/rendered.ts';

const SECTION = { heading: 'Pods', table: [['pod'], ['web-1']], lines: ['web-1 is ready'], commands: ['kubectl get pods'] };

describe('a page', () => {
  const made = page({ title: 'Pods of shop', body: [sectionHtml(SECTION)] });

  it('lets a browser load nothing, and style it only by the style that is in it', () => {
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(made) ?? [];
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(made) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policy.split('; ')).toEqual(["default-src 'none'", `style-src 'sha256-${hash}'`, "base-uri 'none'", "form-action 'none'"]);
    expect(style).not.toMatch(/url\(|@import|expression/);
  });

  it('has its title as the heading, then its sections in order', () => {
    expect(made).toContain('<title>Pods of shop</title>');
    const headings = [...made.matchAll(/<h\d>([^<]*)/g)].map(([, text]) => text);
    expect(headings).toEqual(['Pods of shop', 'Pods']);
    expect(renderedHtml(made).active).toEqual([]);
  });

  it.each(HOSTILE)('keeps %j as text, in a line, in a block and in an attribute', (text) => {
    const { active } = renderedHtml(page({ title: text, body: [html`<p class="${'muted'}">${text}</p><pre>${block(text, true)}</pre>`] }));
    expect(active).toEqual([]);
    expect(html`<p lang="${text}"></p>`.html).toMatch(/^<p lang="[^"<>]*"><\/p>$/);
  });
});

describe('the colours of a page', () => {
  it.each(Object.entries(PALETTES))('can be read in the %s palette: WCAG AA asks for 4.5, and 3 for lines', (_, palette) => {
    for (const [name, color] of Object.entries(palette)) {
      if (name === 'bg' || name === 'panel') continue;
      for (const ground of [palette.bg, palette.panel])
        expect(contrast(color, ground), `${name} on ${ground}`).toBeGreaterThanOrEqual(name === 'line' ? 3 : 4.5);
    }
  });

  it('are those of the style, and only those', () => {
    const used = new Set([...STYLE.matchAll(/#[\da-f]{3,8}\b/g)].map(([color]) => color));
    expect([...used].toSorted()).toEqual(
      [...new Set<string>(Object.values(PALETTES).flatMap((palette) => Object.values(palette)))].toSorted(),
    );
  });
});

/** The contrast ratio of two colours by WCAG 2.2, 1 to 21. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
