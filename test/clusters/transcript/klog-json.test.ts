import { describe, expect, it } from 'vitest';
import { klogLine } from '../../../src/clusters/transcript/klog-json.ts';

const LINE =
  '{"ts":1767261600123.4561,"caller":"kubelet/pod_workers.go:951","msg":"Error syncing pod, skipping","pod":{"name":"cart-0","namespace":"till"},"podUID":"5","err":"failed to \\"StartContainer\\""}';
const READ =
  'E0101 10:00:00.000000    1000 pod_workers.go:951] "Error syncing pod, skipping" err="failed to \\"StartContainer\\"" pod="till/cart-0"';

describe("a kubelet's line in JSON", () => {
  it('is read as klog writes it, also behind the address of its node', () => {
    expect(klogLine(LINE)).toBe(READ);
    expect(klogLine(`192.0.2.7: ${LINE}`)).toBe(READ);
    expect(klogLine(LINE.replace(/,"err".*/, '}'))?.slice(0, 5)).toBe('I0101');
  });

  it('is no line of another program, nor one that was cut off', () => {
    expect(klogLine(LINE.replace('{"ts"', '{"level":"error","ts"'))).toBeUndefined();
    expect(klogLine(LINE.replace(/"pod":\{.*?\},/, ''))).toBeUndefined();
    expect(klogLine(LINE.slice(0, -4))).toBeUndefined();
  });
});
