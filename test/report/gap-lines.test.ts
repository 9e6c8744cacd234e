import { describe, expect, it } from 'vitest';
import { gapLines } from '../../src/report/diagnosis/gap-lines.ts';
import { PLAIN } from '../../src/report/format/text-style.ts';

const EVERY = (kind: string, plural: string): Parameters<typeof gapLines>[0][number] => ({
  kind: 'service',
  about: { kind, namespace: 'shop', name: '*' },
  reason: `${plural} in shop were not collected`,
  needs: `kubectl get -n shop ${plural} -o yaml`,
});

describe('what could not be looked at', () => {
  it('asks for whole kinds with one command', () => {
    expect(
      gapLines([EVERY('Service', 'services'), EVERY('ReplicaSet', 'replicasets'), EVERY('Service', 'services')], PLAIN, false),
    ).toEqual([
      '  - services, replicasets in shop were not collected. To see them:',
      '      kubectl get -n shop services,replicasets -o yaml',
    ]);
  });

  it('names the permission that is missing once, however much it hides', () => {
    const gap = (name: string): Parameters<typeof gapLines>[0][number] => ({
      kind: 'reference',
      about: { kind: 'Pod', namespace: 'shop', name },
      reason: 'forbidden',
      needs: 'get configmaps in shop',
    });
    expect(gapLines([gap('web-1'), gap('web-2'), gap('web-3')], PLAIN, false)).toEqual([
      '  - reference of Pod shop/web-1 and 2 more: forbidden. Needs: get configmaps in',
      '    shop',
    ]);
  });

  it('tells what hides everything once', () => {
    const gaps = ['Pod', 'Deployment', 'Service', 'Job', 'DaemonSet', 'Pod'].map((kind) => ({
      kind: 'milestone' as const,
      about: { kind, namespace: 'shop', name: '*' },
      reason: 'The connection was refused.',
    }));
    expect(gapLines(gaps, PLAIN, false)).toEqual([
      '  - every Pod, Deployment, Service, Job and 1 more kinds in shop: The connection',
      '    was refused.',
    ]);
  });

  it('ends somewhere, unless all is wanted', () => {
    const gaps = Array.from({ length: 20 }, (_, index) => ({
      kind: 'event' as const,
      about: { kind: 'Pod', namespace: 'shop', name: `web-${index}` },
      reason: `broken ${index}`,
    }));
    expect(gapLines(gaps, PLAIN, false)).toHaveLength(7);
    expect(gapLines(gaps, PLAIN, true)).toHaveLength(20);
  });
});
