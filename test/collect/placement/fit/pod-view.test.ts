import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { viewOf } from '../../../../src/collect/placement/fit/pod-view.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
import { objectOf } from '../../../support/collected.ts';

/** A pod of which these fields are shown; all of it without any. */
function pod(spec: JsonObject, shown?: readonly string[]): KubeObject {
  return { ...objectOf('Pod', 'web-1', { spec }), ...(shown === undefined ? {} : { [OBSERVED]: shown }) };
}

function owner(spec: JsonObject, shown?: readonly string[], kind = 'Deployment'): KubeObject {
  return { ...objectOf(kind, 'web', { spec: { template: { spec } } }), ...(shown === undefined ? {} : { [OBSERVED]: shown }) };
}

const SILENT = ['metadata.name'];
const FAST = { nodeSelector: { disk: 'fast' } };
const SLOW = { nodeSelector: { disk: 'slow' } };
const labels = (...view: Parameters<typeof viewOf>): unknown => {
  const { value, known } = viewOf(...view).field('nodeSelector', 'disk');
  return known ? (value ?? 'none') : 'unknown';
};

describe('a field of the spec of a pod', () => {
  it('is what the pod says, and nothing where it shows that there is nothing', () => {
    expect(labels(pod(FAST), owner(SLOW))).toBe('fast');
    expect(labels(pod(FAST, SILENT), owner(SLOW))).toBe('fast');
    expect(labels(pod({}), owner(SLOW))).toBe('none');
    expect(labels(pod({}, ['spec.nodeSelector']), owner(SLOW))).toBe('none');
    expect(labels(pod({}, SILENT))).toBe('unknown');
  });

  it('is what the template of its workload says, where the pod is silent', () => {
    expect(labels(pod({}, SILENT), owner(SLOW))).toBe('slow');
    expect(labels(pod({}, SILENT), owner(SLOW, SILENT))).toBe('slow');
    expect(labels(pod({}, SILENT), owner({}, ['spec.template.spec.nodeSelector']))).toBe('none');
    expect(labels(pod({}, SILENT), owner({}, SILENT))).toBe('unknown');
  });

  it('is what the manifest says, where both are silent', () => {
    expect(labels(pod({}, SILENT), undefined, owner(FAST))).toBe('fast');
    expect(labels(pod({}, SILENT), owner({}, SILENT), owner(FAST))).toBe('fast');
    expect(labels(pod({}, SILENT), owner(SLOW), owner(FAST))).toBe('slow');
    expect(labels(pod({}, SILENT), undefined, pod(FAST))).toBe('fast');
    const nightly = objectOf('CronJob', 'web', { spec: { jobTemplate: { spec: { template: { spec: FAST } } } } });
    expect(labels(pod({}, SILENT), undefined, nightly)).toBe('fast');
    expect(labels(pod({}, SILENT), undefined, owner({}))).toBe('none');
  });
});
