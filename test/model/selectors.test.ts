import { describe, expect, it } from 'vitest';
import { PodcheckError } from '../../src/base/errors.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { OBSERVED } from '../../src/model/kube-object.ts';
import {
  matchesLabels,
  matchObjectFields,
  matchObjectLabels,
  parseFieldSelector,
  parseLabelSelector,
  selectorOfFields,
  selectorOfLabels,
} from '../../src/model/selectors.ts';

const WEB: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1', namespace: 'shop', labels: { app: 'web', tier: 'front' } },
  spec: { nodeName: 'worker-1' },
  status: { phase: 'Running' },
};
const SEEN_IN_TABLE: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1', namespace: 'shop' },
  status: { phase: 'Running' },
  [OBSERVED]: ['metadata.name', 'status.phase'],
};

describe('a label selector', () => {
  it.each([
    ['app=web', true],
    ['app==web', true],
    ['app=api', false],
    ['app!=api', true],
    ['app!=web', false],
    ['legacy!=yes', true],
    ['app in (web, api)', true],
    ['app in (api)', false],
    ['app notin (api,db)', true],
    ['legacy notin (yes)', true],
    ['legacy in (yes)', false],
    ['tier', true],
    ['legacy', false],
    ['!legacy', true],
    ['!tier', false],
    ['app=web,tier in (front,back),!legacy', true],
    ['app=web,tier in (back)', false],
    ['', true],
  ])('%s says %s of a front-end web pod', (selector, expected) => {
    expect(matchesLabels(parseLabelSelector(selector), { app: 'web', tier: 'front' })).toBe(expected);
  });

  it('takes keys with a domain', () => {
    const [requirement] = parseLabelSelector('app.kubernetes.io/name=web');
    expect(requirement).toEqual({ key: 'app.kubernetes.io/name', operator: 'in', values: ['web'] });
  });

  it.each(['app=we b', '=web', 'app in web', 'app in (web', '!', 'app=web,,tier=front', 'a b'])('that reads %j is misuse', (selector) => {
    expect(() => parseLabelSelector(selector)).toThrow(PodcheckError);
  });

  it('is undecided over labels that the source does not show', () => {
    expect(matchObjectLabels(parseLabelSelector('app=web'), WEB)).toBe('yes');
    expect(matchObjectLabels(parseLabelSelector('app=web'), SEEN_IN_TABLE)).toBe('unknown');
    expect(matchObjectLabels(parseLabelSelector('!app'), SEEN_IN_TABLE)).toBe('unknown');
    expect(matchObjectLabels([], SEEN_IN_TABLE)).toBe('yes');
  });
});

describe('a field selector', () => {
  it.each([
    ['metadata.name=web-1', 'yes'],
    ['metadata.namespace==shop,spec.nodeName=worker-1', 'yes'],
    ['spec.nodeName!=worker-1', 'no'],
    ['status.phase!=Failed', 'yes'],
    ['status.nominatedNodeName=', 'yes'],
    ['status.phase=Pending', 'no'],
  ])('%s says %s of a running pod', (selector, expected) => {
    expect(matchObjectFields(parseFieldSelector(selector), WEB)).toBe(expected);
  });

  it('is undecided over fields that the source does not show, unless another clause rules the object out', () => {
    expect(matchObjectFields(parseFieldSelector('spec.nodeName=worker-1'), SEEN_IN_TABLE)).toBe('unknown');
    expect(matchObjectFields(parseFieldSelector('spec.nodeName=worker-1,status.phase=Failed'), SEEN_IN_TABLE)).toBe('no');
  });

  it('without an operator is misuse', () => {
    expect(() => parseFieldSelector('spec.nodeName')).toThrow(PodcheckError);
  });
});

describe('a selector that is made', () => {
  it('of labels reads back as them', () => {
    expect(selectorOfLabels({ tier: 'front', app: 'web' })).toBe('app=web,tier=front');
    expect(
      matchesLabels(parseLabelSelector(selectorOfLabels({ app: 'web', 'shop.example/team': '' }) ?? ''), {
        app: 'web',
        'shop.example/team': '',
      }),
    ).toBe(true);
  });

  it.each([[{}], [{ app: 'web, api' }], [{ '-app': 'web' }], [{ app: 'a\u001b[31m' }]])(
    'of %j, which the API server would not take, is none',
    (labels) => {
      expect(selectorOfLabels(labels)).toBeUndefined();
    },
  );

  it('of fields reads back as them, whatever stands in them', () => {
    const name = String.raw`web,1=2\3`;
    expect(parseFieldSelector(selectorOfFields({ 'involvedObject.kind': 'Pod', 'involvedObject.name': name }))).toEqual([
      { field: 'involvedObject.kind', equal: true, value: 'Pod' },
      { field: 'involvedObject.name', equal: true, value: name },
    ]);
  });
});
