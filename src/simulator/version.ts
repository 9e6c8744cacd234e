/** The version of Kubernetes that is simulated. */
export const KUBERNETES_VERSION = 'v1.36.3';
