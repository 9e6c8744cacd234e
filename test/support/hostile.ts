/** Texts that try to become markup, to end what they stand in, to move a cursor or not to be seen. */
export const HOSTILE: readonly string[] = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  '</pre></td></table></title></style><script>alert(1)</script>',
  '--><!--<iframe src="javascript:alert(1)">',
  '[click](javascript:alert(1))',
  '![seen](https://evil.example/pixel.png)',
  '<javascript:alert(1)>',
  '[ref]: javascript:alert(1) "x"',
  '&lt;script&gt; &#106;avascript&colon;alert(1)',
  'a`b``c```d````e',
  '```\n<script>alert(1)</script>\n````\n# heading\n```',
  '~~~\n</code></pre><script>alert(1)</script>\n~~~',
  'a|b||c \\| d \\',
  'line\n\n# heading\n\n- item\n\n> quote\n\n---\n\n1. one\n\n\tcode\n\n| a | b |\n|---|---|\n| c | d |',
  '---',
  '===',
  '- item',
  '1. item',
  '> quote',
  '# heading',
  '    code',
  '**bold** _it_ ~~gone~~',
  '{{ constructor }} ${7*7} <%= 7*7 %>',
  'web\u001B[31m\u001B]8;;https://evil.example\u0007click\u001B]8;;\u0007\u001B[2J',
  'we\u202Eb\u200B\u00AD\u{E0041}\uFEFF\uD800',
  'a\r\nb\u0085c\u2028d\u2029e\u0000f\u009Bg',
  ']]><failure/><![CDATA[',
  "\"/><testcase name='x'/>&#0;",
  'a%0A::error file=x,line=1::y%25',
  '\n::error file=x::y\r\n##[error]z',
  '',
  ' ',
];

/** The same value with every text in it replaced; fields that are named stay as they are. */
export function withTexts<T>(value: T, text: string, keep: readonly string[] = []): T {
  if (typeof value === 'string') return text as T;
  if (Array.isArray(value)) return value.map((member) => withTexts(member as unknown, text, keep)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, member]) => [field, keep.includes(field) ? member : withTexts(member as unknown, text, keep)]),
  ) as T;
}
