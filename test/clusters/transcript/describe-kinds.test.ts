import { describe, expect, it } from 'vitest';
import { shows } from '../../../src/model/kube-object.ts';
import { OTHERS } from '../../support/described-objects.ts';
import { WORKLOADS } from '../../support/described-workloads.ts';
import { fieldOf, objectIn, read, refsIn } from '../../support/transcripts.ts';

const DESCRIBES = [...WORKLOADS, ...OTHERS];

describe('the describe', () => {
  it.each(DESCRIBES)('of %s is the object that it shows', (ref, text, object) => {
    const kind = ref.split('/')[0] ?? '';
    const { objects, notes } = read(`$ kubectl -n shop describe ${kind}\n${text}`);
    expect(notes).toEqual([]);
    expect(objectIn({ ...read(''), objects }, ref)).toMatchObject(object);
  });

  it.each(DESCRIBES)('of %s is known for what it is without a command', (ref, text) => {
    expect(read(`${text}\n`).objects.map(({ kind }) => kind)).toContain(ref.split('/')[0]);
  });

  it('of all objects of a kind is each of them, and the ReplicaSet that a Deployment names', () => {
    const two = [0, 2].map((index) => DESCRIBES[index]?.[1] ?? '').join('\n\n');
    expect(refsIn(read(`$ kubectl -n shop describe deploy,sts\n${two}`))).toEqual([
      'Deployment/shop/web',
      'ReplicaSet/shop/web-2',
      'StatefulSet/shop/db',
    ]);
  });

  it('of a quota is read where only single blanks are left', () => {
    const quota = read('Name: till\nNamespace: shop\nResource Used Hard\n-------- ---- ----\nrequests.storage 0 1Gi\n');
    expect(fieldOf(quota, 'ResourceQuota/shop/till', 'spec.hard')).toEqual({ 'requests.storage': '1Gi' });
  });

  it('of a Deployment tells how many pods are ready where no minimum of time parts ready from available', () => {
    const [, text = ''] = DESCRIBES[0] ?? [];
    const ready = (seconds: number): unknown =>
      fieldOf(
        read(text.replace(/MinReadySeconds:\s+\d+/, `MinReadySeconds:  ${String(seconds)}`)),
        'Deployment/shop/web',
        'status.readyReplicas',
      );
    expect([ready(0), ready(5)]).toEqual([1, undefined]);
  });

  it('of a controller shows that it has no conditions, unless it was cut before they would stand', () => {
    const [, text = ''] = DESCRIBES[0] ?? [];
    const without = text.replace(/Conditions:[^]*?OldReplicaSets/, 'OldReplicaSets');
    expect(shows(objectIn(read(without), 'Deployment/shop/web'), 'status.conditions')).toBe(true);
    expect(shows(objectIn(read(without.replace(/OldReplicaSets[^]*$/, '')), 'Deployment/shop/web'), 'status.conditions')).toBe(false);
  });

  it('of a Service lists the ready addresses behind it, unless they were cut', () => {
    const [, text = ''] = DESCRIBES[6] ?? [];
    const service = read(text);
    expect(fieldOf(service, 'Endpoints/shop/web', 'subsets')).toEqual([
      { addresses: [{ ip: '10.0.1.7' }, { ip: '10.0.2.9' }], ports: [{ name: 'http', port: 8080 }] },
    ]);
    expect(shows(objectIn(service, 'Endpoints/shop/web'), 'subsets.notReadyAddresses')).toBe(false);
    expect(refsIn(read(text.replace('10.0.2.9:8080', '10.0.2.9:8080 + 3 more...')))).toEqual(['Service/shop/web']);
  });
});
