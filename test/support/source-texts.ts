import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Expression } from 'oxc-parser';
import { parseSync, Visitor } from 'oxc-parser';
import type { Text } from './read-texts.ts';

/**
 * Texts of at least two words in the string and template literals of the TypeScript files below a folder. A filled-in value is `{{ value
 * }}`.
 */
export function sourceTexts(folder: string): readonly Text[] {
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts'))
    .toSorted();
  return files.flatMap((file) => textsOfSource(join(folder, file), readFileSync(join(folder, file), 'utf8')));
}

/**
 * Literals of types, tagged templates, lists of words (`'a b c'.split(' ')`) and errors about podcheck's own code are not texts for people.
 */
export function textsOfSource(file: string, source: string): readonly Text[] {
  const texts: Text[] = [];
  const skipped = new Set<unknown>();
  const add = (node: { readonly start: number }, text: string): void => {
    if (skipped.has(node)) return;
    const line = source.slice(0, node.start).split('\n').length;
    texts.push(
      ...text
        .split('\n')
        .filter(isProse)
        .map((one) => ({ place: `${file}:${String(line)}`, field: 'literal', text: one })),
    );
  };
  new Visitor({
    TSLiteralType: ({ literal }) => void skipped.add(literal),
    TaggedTemplateExpression: ({ quasi }) => void skipped.add(quasi),
    CallExpression({ callee }) {
      if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'split')
        for (const part of partsOf(callee.object)) skipped.add(part);
    },
    NewExpression({ callee, arguments: given }) {
      if (callee.type === 'Identifier' && callee.name === 'Error') skipped.add(given[0]);
    },
    Literal(node) {
      if (typeof node.value === 'string') add(node, node.value);
    },
    TemplateLiteral(node) {
      add(node, node.quasis.map(({ value }) => value.cooked ?? '').join('{{ value }}'));
    },
  }).visit(parseSync(file, source).program);
  return texts;
}

/** The literals that are joined by `+`, in parentheses or not. */
function partsOf(expression: Expression): readonly unknown[] {
  if (expression.type === 'ParenthesizedExpression') return partsOf(expression.expression);
  return expression.type === 'BinaryExpression' && expression.left.type !== 'PrivateIdentifier'
    ? [...partsOf(expression.left), ...partsOf(expression.right)]
    : [expression];
}

function isProse(text: string): boolean {
  return /[A-Za-z]{2,}[,;:]? [A-Za-z]{2,}/.test(text.replaceAll('{{ value }}', 'XX'));
}
