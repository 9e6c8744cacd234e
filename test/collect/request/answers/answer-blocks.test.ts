import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../../../src/catalog/bundled-data.ts';
import type { AnswerBlock } from '../../../../src/collect/request/answers/answer-blocks.ts';
import { answerBlocks } from '../../../../src/collect/request/answers/answer-blocks.ts';
import { vocabularyOf } from '../../../../src/collect/survey/vocabulary.ts';

const VOCABULARY = vocabularyOf(await shippedRules());

describe('answerBlocks', () => {
  it('parts what was done from what failed', () => {
    const output =
      'namespace/shop unchanged\ndeployment.apps/web configured (server dry run)\nError from server (Forbidden): error when creating "shop.yaml": pods is forbidden\nThe Service "web" is invalid: spec.ports: Required value\npod/web created\n';
    expect(blocksOf(output)).toEqual([
      { kind: 'done', resource: 'namespace', name: 'shop', how: 'unchanged', dryRun: false },
      { kind: 'done', resource: 'deployment.apps', name: 'web', how: 'configured', dryRun: true },
      { kind: 'failed', text: 'Error from server (Forbidden): error when creating "shop.yaml": pods is forbidden' },
      { kind: 'failed', text: 'The Service "web" is invalid: spec.ports: Required value' },
      { kind: 'done', resource: 'pod', name: 'web', how: 'created', dryRun: false },
    ]);
  });

  it('keeps the lines of one failure together and leaves the log lines of the client out', () => {
    const output =
      'E0115 12:00:00.000000    4242 memcache.go:265] "Unhandled Error"\nThe Deployment "web" is invalid: \n* spec.selector: Required value\n* spec.template: Required value';
    expect(blocksOf(output)).toEqual([
      { kind: 'failed', text: 'The Deployment "web" is invalid: \n* spec.selector: Required value\n* spec.template: Required value' },
    ]);
  });

  it('knows both ways of saying that something was deleted', () => {
    expect(blocksOf('pod "web" deleted\npod "db" deleted from shop namespace\nnamespace "shop" force deleted')).toMatchObject([
      { name: 'web', how: 'deleted' },
      { name: 'db', how: 'deleted' },
      { name: 'shop', how: 'deleted' },
    ]);
  });

  it('finds nothing in a table', () => {
    expect(blocksOf('NAME   READY   STATUS    RESTARTS   AGE\nweb    1/1     Running   0          5m')).toEqual([]);
  });
});

function blocksOf(output: string): readonly AnswerBlock[] {
  return answerBlocks(output, VOCABULARY);
}
