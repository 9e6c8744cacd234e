import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/report/format/display-width.ts';
import { PLAIN } from '../../src/report/format/text-style.ts';
import { scanText } from '../../src/report/diagnosis/scan-text.ts';
import { CAUSE, ENDED, SCAN } from '../support/diagnoses.ts';

describe('a scan as text', () => {
  const text = scanText(SCAN, PLAIN, false);

  it('begins with how much is well', () => {
    expect(text.split('\n')[0]).toBe('namespace shop: 2 of 5 healthy, 3 unhealthy; 1 cause');
  });

  it('says what a cause is about where all that was counted is healthy', () => {
    const counts = { ...SCAN.counts, healthy: 5, unhealthy: 0, unexplained: 0, unknown: 0 };
    const first = scanText({ ...SCAN, counts, unexplained: [] }, PLAIN, false).split('\n')[0];
    expect(first).toBe('namespace shop: 5 of 5 healthy; 1 cause concerns ConfigMap shop/web-settings');
    const node = { ...CAUSE, rank: 2, object: { kind: 'Node', name: 'worker-1' } };
    const both = scanText({ ...SCAN, counts, unexplained: [], causes: [CAUSE, node] }, PLAIN, false).split('\n')[0];
    expect(both).toBe('namespace shop: 5 of 5 healthy; 2 causes concern ConfigMap, Node');
  });

  it('has a table of causes: how many pods each stops, its object, and the command of its fix', () => {
    expect(text).toContain(
      'COUNT  CAUSE, OBJECT, FIX\n    2  A volume names a ConfigMap that does not exist\n       volumes/configmap-not-found: Deployment shop/web: ConfigMap shop/web-set…\n       kubectl -n shop create configmap',
    );
    expect(text).toContain('podcheck diagnose Deployment/shop/web\n');
  });

  it('begins with what stops most', () => {
    const pods = Array.from({ length: 7 }, (_, index) => ({ kind: 'Pod', namespace: 'shop', name: `db-${index}` }));
    const sorted = scanText(
      { ...SCAN, causes: [...SCAN.causes, { ...CAUSE, rank: 2, title: 'Something larger', affected: pods }] },
      PLAIN,
      false,
    );
    expect(sorted.indexOf('    7  Something larger')).toBeLessThan(sorted.indexOf('    2  A volume names'));
  });

  it('says of a cause that several objects share how many these are, and counts each', () => {
    const others = ['cart', 'till'].map((name) => ({ kind: 'Deployment', namespace: 'shop', name }));
    const shared = scanText({ ...SCAN, causes: [{ ...CAUSE, others, affected: others }] }, PLAIN, false);
    expect(shared).toContain('\n    3  A volume names');
    expect(shared).toContain('volumes/configmap-not-found: 3 objects, first Deployment shop/web: ');
  });

  it('lists what is not well for unknown reasons', () => {
    expect(text).toContain('StatefulSet shop/db: 1/3 ready');
  });

  it('points to one namespace where pods may not be listed in all, and only there', () => {
    const gap = { kind: 'any' as const, about: { kind: 'Pod', name: '*' }, reason: 'refused', needs: 'list pods in all namespaces' };
    const refused = { ...SCAN, scope: {}, counts: { ...SCAN.counts, targets: 0 }, causes: [], unexplained: [], gaps: [gap] };
    const hint = 'podcheck scan -n NAMESPACE';
    expect(scanText(refused, PLAIN, false)).toContain(hint);
    expect(scanText({ ...refused, scope: { namespace: 'shop' } }, PLAIN, false)).not.toContain(hint);
    expect(scanText({ ...refused, counts: SCAN.counts }, PLAIN, false)).not.toContain(hint);
  });

  it('keeps to eighty columns outside of commands', () => {
    for (const line of text.split('\n')) if (!line.includes('kubectl')) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  });

  it('hides no object on a terminal of forty columns', () => {
    const narrow = scanText(SCAN, { ...PLAIN, width: 40 }, false);
    expect(narrow.replaceAll(/\s+/g, ' ')).toContain('volumes/configmap-not-found: Deployment shop/web: ConfigMap shop/web-settings');
    for (const line of narrow.split('\n')) if (!/kubectl|podcheck/.test(line)) expect(displayWidth(line)).toBeLessThanOrEqual(40);
  });

  it('has a section of its own for certificates that have ended or will, with what they stop and how to renew them', () => {
    expect(text).not.toContain('CERTIFICATES');
    const section = scanText(
      {
        ...SCAN,
        certificates: [
          ENDED,
          { ...ENDED, id: 'b1', role: 'etcd-server', status: 'WARN', notAfter: SCAN.at + 10 * 86_400_000, daysLeft: 10 },
        ],
      },
      PLAIN,
      false,
    );
    expect(section).toContain("EXPIRED: scheduler's client certificate, expired 2026-01-13");
    expect(section.replaceAll(/\s+/g, ' ')).toContain('New pods stay Pending without any event. sudo kubeadm certs renew scheduler.conf');
    expect(section).toContain("WARN: etcd's serving certificate, expires 2026-01-24");
    expect(section.indexOf('CERTIFICATES')).toBeGreaterThan(section.indexOf('StatefulSet shop/db'));
  });

  it('lists no more than a few of them, unless it may be wide', () => {
    const certificates = Array.from({ length: 9 }, (_, index) => ({ ...ENDED, id: String(index) }));
    expect(scanText({ ...SCAN, certificates }, PLAIN, false)).toContain('and 3 more (podcheck cert-expiry)');
    expect(scanText({ ...SCAN, certificates }, PLAIN, true).match(/EXPIRED/g)).toHaveLength(9);
  });

  it('takes three lines for each cause and says how to see more, unless it may be wide', () => {
    const many = { ...SCAN, unexplained: [], causes: Array.from({ length: 16 }, (_, index) => ({ ...CAUSE, rank: index + 1 })) };
    const short = scanText(many, PLAIN, false);
    expect(short.trimEnd().split('\n')).toHaveLength(4 + 12 * 3 + 1 + 3);
    expect(short).toContain('and 4 more (-o wide)');
    expect(scanText(many, PLAIN, true).match(/^Proof/gm)).toHaveLength(16);
  });

  it('tells pods of one controller that are in one state in one line, and each where all is told', () => {
    const owner = { kind: 'Deployment', namespace: 'shop', name: 'till' };
    const targets = ['a', 'b', 'c'].map(
      (name) =>
        ({
          ref: { kind: 'Pod', namespace: 'shop', name: `till-${name}` },
          state: 'unhealthy',
          reason: name === 'c' ? 'Pending' : 'not ready',
          members: [owner],
        }) as const,
    );
    const alone = { ...SCAN, causes: [], unexplained: targets };
    expect(scanText(alone, PLAIN, false)).toContain(
      'NO RULE MATCHES\n  - 2 Pods of Deployment shop/till: not ready\n  - Pod shop/till-c: Pending\n',
    );
    expect(scanText(alone, PLAIN, true)).toContain('  - Pod shop/till-a: not ready\n  - Pod shop/till-b: not ready\n');
  });

  it('does not call unhealthy what is on its way', () => {
    const starting = [
      { ref: { kind: 'Deployment', namespace: 'shop', name: 'till' }, state: 'unhealthy', reason: '0/1 ready', members: [] },
    ] as const;
    const counts = { targets: 2, healthy: 1, unhealthy: 1, unexplained: 0, unknown: 0 };
    const alone = scanText({ ...SCAN, counts, causes: [], unexplained: [], starting }, PLAIN, false);
    expect(alone).toContain('namespace shop: 1 of 2 healthy, 1 not ready yet; 0 causes');
    expect(alone).toContain('NOT READY YET\n  - Deployment shop/till: 0/1 ready\n');
  });
});
