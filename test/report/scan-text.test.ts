import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/report/display-width.ts';
import { PLAIN } from '../../src/report/look.ts';
import { scanText } from '../../src/report/scan-text.ts';
import { CAUSE, ENDED, SCAN } from '../support/diagnoses.ts';

describe('a scan as text', () => {
  const text = scanText(SCAN, PLAIN, false);

  it('begins with how much is well', () => {
    expect(text.split('\n')[0]).toBe('namespace shop: 2 of 5 healthy, 3 not; 1 cause');
  });

  it('names a cause once, with how many objects it stops', () => {
    expect(text).toContain('1. A volume names a ConfigMap that does not exist (2 objects)');
    expect(text.match(/Volume settings needs/g)).toHaveLength(1);
  });

  it('lists what is not well for unknown reasons', () => {
    expect(text).toContain('StatefulSet shop/db: 1/3 ready');
  });

  it('keeps to eighty columns outside of commands', () => {
    for (const line of text.split('\n')) if (!line.includes('kubectl')) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  });

  it('has a section of its own for certificates that have ended or will, with what they stop and how to renew them', () => {
    expect(text).not.toContain('CERTIFICATES');
    const section = scanText({ ...SCAN, certificates: [ENDED, { ...ENDED, id: 'b1', role: 'etcd-server', status: 'WARN', notAfter: SCAN.at + 10 * 86_400_000, daysLeft: 10 }] }, PLAIN, false);
    expect(section).toContain('EXPIRED: scheduler\'s client certificate, ended 2026-01-13');
    expect(section.replaceAll(/\s+/g, ' ')).toContain('New pods stay Pending without any event. sudo kubeadm certs renew scheduler.conf');
    expect(section).toContain('WARN: etcd\'s serving certificate, ends 2026-01-24');
    expect(section.indexOf('CERTIFICATES')).toBeGreaterThan(section.indexOf('StatefulSet shop/db'));
  });

  it('lists no more than a few of them, unless it may be wide', () => {
    const certificates = Array.from({ length: 9 }, (_, index) => ({ ...ENDED, id: String(index) }));
    expect(scanText({ ...SCAN, certificates }, PLAIN, false)).toContain('and 3 more (podcheck cert-expiry)');
    expect(scanText({ ...SCAN, certificates }, PLAIN, true).match(/EXPIRED/g)).toHaveLength(9);
  });

  it('tells later causes shortly, unless it may be wide', () => {
    const many = { ...SCAN, causes: Array.from({ length: 6 }, (_, index) => ({ ...CAUSE, rank: index + 1 })) };
    expect(scanText(many, PLAIN, false).match(/Evidence/g)).toHaveLength(3);
    expect(scanText(many, PLAIN, true).match(/Evidence/g)).toHaveLength(6);
  });
});
