import { describe, expect, it } from 'vitest';
import { liveFaults } from './fault.ts';
import { playPatiently } from './play-fault.ts';

/** Some of each stage: what CI has time for. The whole suite is in every-fault.ts. */
const SELECTED: ReadonlySet<string> = new Set([
  'configmap-key-of-env',
  'configmap-of-volume',
  'secret-key-of-projected-volume',
  'new-image-missing',
  'command-not-there',
  'exits-with-1',
  'out-of-memory',
  'read-only-root',
  'readiness-path',
  'readiness-port',
  'liveness-port',
  'node-selector',
  'cpu-too-much',
  'anti-affinity-of-two',
  'host-port-of-two',
  'claim-of-missing-class',
  'quota-of-pods',
  'pod-security',
  'service-account-missing',
  'paused',
  'selector-of-nobody',
  'target-port',
]);
const faults = liveFaults().filter(({ fault }) => SELECTED.has(fault));

describe('podcheck on a real cluster, however slow', () => {
  it('plays every fault that is selected', () => {
    expect(faults.length).toBe(SELECTED.size);
  });

  it.concurrent.each(faults)('names the cause of $fault in the end, and its cure helps', async (fault) => {
    const { looks, cure, healthy } = await playPatiently(fault);
    expect(looks.at(-1)?.rules[0], JSON.stringify(looks.at(-1))).toSatisfy((rule) => fault.rules.includes(String(rule)));
    if (cure.commands.length === 0) return;
    expect(cure.failed, 'the cure').toBeUndefined();
    expect(healthy?.outcome, `after the cure: ${JSON.stringify({ cure, healthy })}`).toBe('healthy');
  });
});
