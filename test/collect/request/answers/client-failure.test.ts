import { describe, expect, it } from 'vitest';
import { podcheck } from '../../../support/command-line.ts';

describe('the words of a client', () => {
  it('are told without the advice to skip validation', async () => {
    const answer =
      '$ kubectl -n till apply -f till.yaml\nerror: error validating "till.yaml": error validating data: failed to download openapi: Get "https://10.7.0.4:6443/openapi/v2?timeout=32s": x509: certificate is valid for control-plane, not api.till.example; if you choose to ignore these errors, turn validation off with --validate=false\n';
    const { causes } = JSON.parse((await podcheck(['diagnose', '--from', '-', '-o', 'json'], { stdin: answer })).out) as {
      readonly causes: readonly { readonly rule: string; readonly what: string }[];
    };
    expect(causes.map(({ rule }) => rule)).toEqual(['apply/server-certificate-name-mismatch']);
    expect(causes[0]?.what).toContain('certificate is valid for control-plane, not api.till.example');
    expect(causes[0]?.what).not.toContain('validat');
  });
});
