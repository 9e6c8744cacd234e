import { afterAll, describe, expect, it } from 'vitest';
import { shippedRules, shippedScenarios } from '../src/catalog/bundled-data.ts';
import { KUBECTL, NOT_RUN } from './conformance/kubectl.ts';
import type { Worth } from './support/first-alternative.ts';
import { firstAlternative } from './support/first-alternative.ts';
import { playFix } from './support/printed-fixes.ts';

/** Scenarios whose fix a person must do: the number may only fall. */
const BY_A_PERSON = 221;
/** Newer ones that no command of kubectl can cure, each with the reason. */
const OUT_OF_REACH: Readonly<Record<string, string>> = {
  'authentication/no-credentials': 'only its owner has the credentials that the client did not send',
  'apply/helm-release-refused': 'the records of a release are for Helm to change',
  'containers/listen-address-not-available': 'the address stands in the configuration of the program',
  'containers/file-mode-too-open': 'who owns the files of a volume, and whether fsGroup has to stay, is known to its owner',
  'containers/windows-version-mismatch': 'an image for the version of the node has to be built by its developer',
  'containers/file-is-directory': 'which key is meant to be the file is known to whoever wrote the template',
  'containers/data-damaged': 'how damaged data is restored is known to its owner',
  'containers/data-of-another-version': 'how data is migrated is known to the owner of the database',
  'containers/gpu-driver-not-found': 'the driver and its runtime are set up on the machine, which kubectl does not reach',
  'containers/data-directory-not-empty': 'whether its files are data of a database is known to their owner',
  'controllers/namespace-deletion-failing': 'whether the aggregated API is still used is known to its owner',
  'apply/server-busy': 'it ends by itself, and who overloads the API server is known to its owner',
  'containers/cdi-device-not-found': 'the files of devices are made on the machine, which kubectl does not reach',
  'containers/cloud-permission-missing': 'the permissions of an identity are granted in the cloud',
  'kubelet/node-filesystem-full': 'what may be deleted from the disk of a node is decided on the machine',
  'kubelet/provider-failed': 'what the cloud service supports is outside of the cluster',
  'probes/vault-sealed': 'the keys that unseal it are with their owners',
  'sandbox/image-store-damaged': 'the image store is on the machine, which kubectl does not reach',
  'sandbox/pod-cgroup-not-created': 'cgroup drivers are set on the machine, which kubectl does not reach',
  'traffic/acme-challenge-not-reached': 'who lets the challenge through is outside of the cluster',
  'traffic/ingress-not-built': 'subnets are tagged in the cloud',
  'volumes/cloud-permission-denied': 'the permissions of an identity are granted in the cloud',
  'volumes/hostpath-not-creatable': 'which path of the node may be used is known to its owner',
  'volumes/mount-not-shared': 'mounts are shared on the machine, which kubectl does not reach',
  'controllers/cronjob-schedule-invalid': 'when it is to run is known to its owner',
  'kubelet/pod-rejected': 'how many CPUs the program can do with is known to its owner',
  'kubelet/node-join-failed': 'kubeadm runs on a machine that is no node yet',
  'scheduling/autoscaler-adds-no-node': 'the maximum of a node group is set in the cloud',
  'traffic/ingress-backend-not-found': 'which Service is meant is known to whoever wrote the Ingress',
  'traffic/ingress-class-not-found': 'which class is meant is known to whoever wrote the Ingress',
  'endpoints/no-ready-endpoints': 'which pods are to serve is known to whoever wrote the Service',
  'endpoints/service-cidr-being-deleted': 'which Services may lose their address is for their owners to decide',
  'controllers/job-container-runs-on': 'whether the other container only serves is known to whoever wrote the Job',
  'containers/capability-missing': 'whether the program may have the capability is for a person to decide',
  'sandbox/sandbox-not-removed': 'what the network plugin of the node lacks is known outside of the pod',
  'scheduling/autoscaler-scale-up-failed': 'the quota of a project is set in the cloud',
  'validating-admission/webhook-call-failed': 'what is wrong with the server of a webhook is known to its owner',
  'volumes/rbd-map-failed': 'the Ceph cluster is not reached with kubectl',
  'containers/called-service-not-found': 'which Service is meant is known to whoever wrote the program',
  'containers/environment-too-large': 'which values may be files instead is known to whoever wrote the program',
  'containers/option-unknown': 'which option is meant is known to whoever wrote the template',
  'controllers/hpa-target-not-found': 'which workload is meant is known to whoever wrote the autoscaler',
  'containers/data-directory-locked': 'how many pods may share a volume is known to the developer of the program',
  'controllers/cronjob-concurrency-forbid.near-failing-job': 'what its program does wrong is known to its developer',
  'controllers/hpa-no-metrics.near-pods-not-ready': 'what the probe waits for is known to the developer of the program',
  'controllers/hpa-several-for-one-target': 'which of them stays is known to whoever wrote them',
  'controllers/recreate-waits-for-old-pods': 'whether the program may be interrupted is known to its owner',
  'scheduling/hugepages-unavailable': 'huge pages are reserved on the machine, which kubectl does not reach',
  'containers/value-has-line-break': "what the value should be is its owner's to know",
  'volumes/volume-mode-mismatch': "where the container expects the volume is its author's to know",
  'scheduling/claim-not-owned': 'whose data the claim has is known to its owner',
  'containers/cpu-feature-missing': 'which CPU a node has is set outside Kubernetes',
  'containers/kernel-setting-too-low': 'the kernel setting is that of the machine, which kubectl does not reach',
  'kubelet/node-setup-timed-out': 'why kubeadm waits in vain is known on a machine that is no node yet',
  'containers/iptables-unavailable': 'the kernel modules are those of the machine',
  'kubelet/inotify-limit-reached': 'the kernel setting is that of the machine, which kubectl does not reach',
  'kubelet/kubelet-unauthorized': 'which credentials the API server accepts is known outside of the node',
  'kubelet/kubelet-serving-certificate': 'which requests of kubelets may be approved is for a person to decide',
  'kubelet/node-setup-refused': 'what kubeadm finds wrong is on a machine that is no node yet',
  'containers/volume-permission-denied.match-disk-errors': 'the disk with errors is that of the machine, which kubectl does not reach',
  'containers/module-not-found': 'the image that has the module is known to whoever builds it',
  'persistence/etcd-database-full': 'kubectl cannot compact the database, and nothing can be written until that is done',
  'probes/mesh-proxy-without-configuration': 'why the control plane of the mesh does not answer is outside of the pod',
  'sandbox/user-namespaces-unsupported': 'the kernel and the container runtime are those of the machine',
  'mutating-admission/webhook-broke-pod.near-tag-of-the-template': 'which tag there should be is known to whoever wrote the image',
  'scheduling/karpenter-node-not-ready': 'the machine has to join, in whichever cloud it is',
  'scheduling/karpenter-node-pool-not-ready': 'what the node class names has to be made in the cloud',
  'scheduling/karpenter-node-pool-not-ready.near-not-looked-yet': 'a machine has to join, in whichever cloud it is',
  'scheduling/karpenter-node-pool-not-ready.near-other-pool': 'a machine has to join, in whichever cloud it is',
  'traffic/backend-tls-policy-not-accepted': 'the certificate of the authority is not in the cluster',
  'traffic/kube-proxy-ipvs-unavailable': 'the kernel modules are those of the machine',
  'traffic/dns-upstream-unreachable': 'which server answers is known to whoever runs the network',
  'containers/dependency-certificate-untrusted': 'which CA is to be trusted is known to the owner of the called server',
  'containers/dependency-connections-exhausted.match-outside': 'which connections may be closed is known to the owner of the database',
  'containers/dependency-read-only.match-outside': 'why the database takes no writes is known to its owner',
  'volumes/smb-mount-failed': 'the key, the share and the firewall are those of the file server',
  'volumes/mount-failed': 'only the log of the driver or of the kubelet tells what is wrong with the volume',
};

const rules = await shippedRules();
const troubled = (await shippedScenarios()).filter(({ cure, expect: wanted }) => wanted?.outcome === 'explained' && cure.length > 0);
const worths = new Map<string, Worth>();

describe.skipIf(KUBECTL === undefined)(`the printed fix${NOT_RUN}`, () => {
  it.each(troubled.map((scenario) => [scenario.id, scenario] as const))(
    'of %s cures when it is run as printed, or says who must do it',
    async (id, scenario) => {
      const { worth, commands, told } = await playFix(scenario, rules);
      worths.set(id, worth);
      expect(['cures', 'person'], `${commands.join('\n')}\n${told}`).toContain(worth);
    },
    120_000,
  );

  it('is left to a person no more often than it was', () => {
    expect(troubled.length).toBeGreaterThan(200);
    const persons = [...worths].flatMap(([id, worth]) => (worth === 'person' ? [id] : []));
    expect(Object.keys(OUT_OF_REACH).filter((id) => !persons.includes(id))).toEqual([]);
    expect(persons.filter((id) => !Object.hasOwn(OUT_OF_REACH, id)).length).toBeLessThanOrEqual(BY_A_PERSON);
  });
});

describe('the first alternative of a fix', () => {
  it('ends before the next one, before a condition, and before what somebody else must do', () => {
    const steps = [
      { say: 'Set the port.', run: 'kubectl patch' },
      { say: 'Restart the pods.', run: 'kubectl rollout restart' },
    ];
    for (const next of [
      { say: 'Or remove the probe.' },
      { say: 'If it fails, wait.' },
      { say: 'Correct the image.', by: 'developer' as const },
    ])
      expect(firstAlternative([...steps, next])).toEqual(steps);
    expect(firstAlternative(steps)).toEqual(steps);
  });
});

afterAll(() => {
  const lines = [...new Set(worths.values())].map((worth) => {
    const ids = [...worths].flatMap(([id, one]) => (one === worth ? [id] : []));
    return `${String(ids.length).padStart(4)} ${worth}${worth === 'person' ? '' : `: ${ids.join(' ')}`}`;
  });
  process.stdout.write(`${lines.toSorted().toReversed().join('\n')}\n`);
});
