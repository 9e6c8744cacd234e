import { describe, expect, it } from 'vitest';
import { joinTexts } from '../../src/clusters/join-texts.ts';

describe('several texts of one cluster', () => {
  const texts = [
    { path: 'logs.txt', text: '=== kubectl logs web-1\nbye\n' },
    { path: 'describe.txt', text: 'Name: web-1' },
    { path: 'transcript.txt', text: '$ kubectl get pods\n' },
  ];

  it('are read commands first and logs last, each ending the command before', () => {
    expect(joinTexts(texts).text).toBe('$ kubectl get pods\n\n\n```\nName: web-1\n\n```\n=== kubectl logs web-1\nbye\n');
  });

  it('keep the places of their lines', () => {
    const { text, placed } = joinTexts(texts);
    const lineOf = (part: string): number => text.split('\n').findIndex((line) => line.includes(part)) + 1;
    expect(placed({ line: lineOf('get pods'), text: 'x' })).toEqual({ file: 'transcript.txt', line: 1, text: 'x' });
    expect(placed({ line: lineOf('Name:'), text: 'x' })).toEqual({ file: 'describe.txt', line: 1, text: 'x' });
    expect(placed({ line: lineOf('bye'), text: 'x' })).toEqual({ file: 'logs.txt', line: 2, text: 'x' });
  });
});
