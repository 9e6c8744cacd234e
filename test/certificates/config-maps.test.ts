import { describe, expect, it } from 'vitest';
import { configMapSightings } from '../../src/certificates/config-maps.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { issueCertificate } from '../support/certificates.ts';
import { AUTHORITY, base64, linesOf, objectOf } from './objects.ts';

function configMap(namespace: string, name: string, data: Readonly<Record<string, string>>, metadata: object = {}): KubeObject {
  return objectOf('ConfigMap', name, { data }, { namespace, ...metadata });
}

const CA = AUTHORITY.cert;

describe('the certificates in ConfigMaps', () => {
  it('are what the cluster trusts, by the name of the ConfigMap', () => {
    const found = configMapSightings([
      configMap('shop', 'kube-root-ca.crt', { 'ca.crt': CA, note: 'text' }),
      configMap('shop', 'openshift-service-ca.crt', { 'ca.crt': CA }),
      configMap('kube-system', 'extension-apiserver-authentication', { 'client-ca-file': CA, 'requestheader-client-ca-file': CA }),
      configMap('shop', 'extension-apiserver-authentication', { 'client-ca-file': CA }),
      configMap('shop', 'etcd-serving-ca', { 'ca-bundle.crt': CA }),
      configMap('shop', 'aggregator-client-ca', { 'ca-bundle.crt': CA }),
      configMap('shop', 'kubelet-client-ca', { 'ca-bundle.crt': CA }),
      configMap('shop', 'own', { 'ca.crt': CA }),
      configMap('shop', 'trusted', { 'ca.crt': CA }, { labels: { 'config.openshift.io/inject-trusted-cabundle': 'true' } }),
      configMap('shop', 'injected', { 'ca.crt': CA }, { annotations: { 'service.beta.openshift.io/inject-cabundle': 'true' } }),
    ]);
    expect(linesOf(found).map((line) => line.replace(' | - | CN=shop-ca', ''))).toEqual([
      'ConfigMap/shop/kube-root-ca.crt ca.crt | pod-trust-ca',
      'ConfigMap/shop/openshift-service-ca.crt ca.crt | service-ca',
      'ConfigMap/kube-system/extension-apiserver-authentication client-ca-file | client-ca',
      'ConfigMap/kube-system/extension-apiserver-authentication requestheader-client-ca-file | front-proxy-ca',
      'ConfigMap/shop/extension-apiserver-authentication client-ca-file | configmap-certificate',
      'ConfigMap/shop/etcd-serving-ca ca-bundle.crt | etcd-ca',
      'ConfigMap/shop/aggregator-client-ca ca-bundle.crt | front-proxy-ca',
      'ConfigMap/shop/kubelet-client-ca ca-bundle.crt | client-ca',
      'ConfigMap/shop/own ca.crt | configmap-certificate',
      'ConfigMap/shop/trusted ca.crt | trust-bundle-member',
      'ConfigMap/shop/injected ca.crt | service-ca',
    ]);
  });

  it('lie in binary values and in the kubeconfig of cluster-info, too', () => {
    const kubeconfig = `kind: Config\nclusters:\n- name: ''\n  cluster:\n    certificate-authority-data: ${base64(CA)}\n`;
    expect(
      linesOf(
        configMapSightings([
          configMap('kube-public', 'cluster-info', { kubeconfig }),
          configMap('shop', 'cluster-info', { kubeconfig }),
          objectOf('ConfigMap', 'binary', { binaryData: { 'ca.der': base64(CA), odd: '%' } }, { namespace: 'shop' }),
        ]),
      ),
    ).toEqual([
      'ConfigMap/kube-public/cluster-info kubeconfig | cluster-ca | - | CN=shop-ca',
      'ConfigMap/shop/binary ca.der | configmap-certificate | - | CN=shop-ca',
    ]);
  });

  it('differ where a namespace trusts another authority than most do', () => {
    const other = issueCertificate({ commonName: 'old-ca', isAuthority: true }).cert;
    const found = configMapSightings([
      configMap('a', 'kube-root-ca.crt', { 'ca.crt': other }),
      configMap('b', 'kube-root-ca.crt', { 'ca.crt': `${CA}\n` }),
      configMap('c', 'kube-root-ca.crt', { 'ca.crt': CA }),
      configMap('d', 'other', { 'ca.crt': other }),
    ]);
    expect(found.map(({ mismatch }) => mismatch)).toEqual([
      'it differs from the other namespaces: pods here may not trust the API server',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are public from thirty in one value on', () => {
    const role = (count: number): unknown => configMapSightings([configMap('shop', 'x', { bundle: CA.repeat(count) })])[0]?.role;
    expect([role(29), role(30)]).toEqual(['configmap-certificate', 'trust-bundle-member']);
  });
});
