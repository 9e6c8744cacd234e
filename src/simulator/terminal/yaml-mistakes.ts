import type { YamlError } from '../../base/yaml/kube-yaml.ts';

/**
 * What go-yaml says of a mistake, by the word our parser has for it. Lines: go-yaml's scanner names the line itself, its parser
 * the line before. Source: sigs.k8s.io/yaml/goyaml.v2/{scannerc,parserc,decode}.go.
 */
export function yamlWords({ code, line }: Pick<YamlError, 'code' | 'line'>): string {
  const { words, scanner } = WORDS[code ?? ''] ?? { words: 'did not find expected key', scanner: false };
  const named = scanner ? line : line - 1;
  return named < 1 ? `yaml: ${words}` : `yaml: line ${named}: ${words}`;
}

interface Words {
  readonly words: string;
  readonly scanner: boolean;
}

const WORDS: Readonly<Record<string, Words>> = {
  TAB_AS_INDENT: { words: 'found character that cannot start any token', scanner: true },
  BAD_SCALAR_START: { words: 'found character that cannot start any token', scanner: true },
  BLOCK_AS_IMPLICIT_KEY: { words: 'mapping values are not allowed in this context', scanner: true },
  MULTILINE_IMPLICIT_KEY: { words: "could not find expected ':'", scanner: true },
  MISSING_CHAR: { words: 'found unexpected end of stream', scanner: true },
  BAD_DQ_ESCAPE: { words: 'found unknown escape character', scanner: true },
  BAD_INDENT: { words: 'did not find expected key', scanner: false },
  UNEXPECTED_TOKEN: { words: 'did not find expected node content', scanner: false },
  BAD_ALIAS: { words: 'did not find expected alphabetic or numeric character', scanner: true },
};
