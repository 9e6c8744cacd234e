/** Source: staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go (IsDNS1123Label). */
const LABEL = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

export function isNamespaceName(name: string): boolean {
  return LABEL.test(name);
}
