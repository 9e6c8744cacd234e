import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatMatrix, MATRIX } from './matrix.ts';

describe('the table of commands', () => {
  it('stands in the README of the server as it is here', () => {
    expect(readFileSync('src/server/README.md', 'utf8')).toContain(formatMatrix());
  });

  it('has a test for each of its rows', () => {
    const texts = readdirSync('test/conformance')
      .filter((file) => file.endsWith('.e2e.test.ts'))
      .map((file) => readFileSync(`test/conformance/${file}`, 'utf8'))
      .join('\n');
    expect(texts).toContain(`row('get', `);
    for (const id of Object.keys(MATRIX)) expect(texts, id).toContain(`row('${id}', `);
  });
});
