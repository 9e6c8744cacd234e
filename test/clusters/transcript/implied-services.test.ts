import { describe, expect, it } from 'vitest';
import { read, refsIn } from '../../support/transcripts.ts';

const EMPTY = 'NAME   ENDPOINTS   AGE\nweb    <none>      3m\n';

describe('Endpoints without an address', () => {
  it.each([
    ['as a table', `$ kubectl get endpoints -n shop\n${EMPTY}`],
    [
      'as a document',
      '$ kubectl get endpoints web -n shop -o yaml\napiVersion: v1\nkind: Endpoints\nmetadata:\n  name: web\n  namespace: shop\nsubsets: []\n',
    ],
    [
      'as a description',
      '$ kubectl describe endpoints web -n shop\nName:         web\nNamespace:    shop\nLabels:       <none>\nSubsets:\n',
    ],
  ])('%s imply their Service', (_, text) => {
    expect(refsIn(read(text))).toContain('Service/shop/web');
  });

  it.each([
    ['have addresses', '$ kubectl get endpoints -n shop\nNAME   ENDPOINTS        AGE\nweb    10.244.1.5:80    3m\n'],
    ['are those of a leader', `$ kubectl get endpoints -n kube-system\n${EMPTY}`],
    ['have the name of a driver', `$ kubectl get endpoints -n shop\n${EMPTY.replace('web  ', 'disks.shop.example ')}`],
    [
      'were elected on',
      '$ kubectl get endpoints web -n shop -o yaml\napiVersion: v1\nkind: Endpoints\nmetadata:\n  name: web\n  namespace: shop\n  annotations:\n    control-plane.alpha.kubernetes.io/leader: "{}"\nsubsets: []\n',
    ],
    [
      'are left over where the Services were read',
      `$ kubectl get services -n shop\nNAME  TYPE       CLUSTER-IP  EXTERNAL-IP  PORT(S)  AGE\nshop  ClusterIP  10.96.0.9   <none>       80/TCP   3m\n$ kubectl get endpoints -n shop\n${EMPTY}`,
    ],
  ])('imply none where they %s', (_, text) => {
    expect(refsIn(read(text)).filter((ref) => ref.startsWith('Service/') && ref !== 'Service/shop/shop')).toEqual([]);
  });
});
