import { assert } from '../../base/assert.ts';
import { PodcheckError } from '../../base/errors.ts';
import { formatInstant } from '../../base/instant.ts';
import type { Credential } from '../apiserver/request.ts';
import { CLUSTER_CA } from '../x509/certificates.ts';
import { authorityOf, clusterCertificates, machineCertificates } from '../x509/cluster-certificates.ts';
import type { ComponentDefinition, ProcessName } from './component.ts';
import type { Fault, JoiningMachine } from '../outside/faults.ts';
import { machineSpec } from '../outside/machine.ts';
import type { ProcessSurroundings } from './component-process.ts';
import { Process } from './component-process.ts';
import type { Certificate } from '../x509/simulated-certificate.ts';
import type { Store } from '../store/store.ts';
import type { WebhookServer } from '../outside/webhook-servers.ts';

/** The processes of a cluster and their certificates, and what can be done to them. */
export class ControlPlane {
  readonly #components: readonly ComponentDefinition[];
  readonly #around: ProcessSurroundings;
  readonly #store: Store;
  readonly #processes = new Map<string, Process>();

  constructor(components: readonly ComponentDefinition[], around: ProcessSurroundings, store: Store) {
    this.#components = components;
    this.#around = around;
    this.#store = store;
    this.#makeCertificates();
  }

  /** The credential of admin.conf, or of another kubeconfig that kubeadm makes, as it is now. */
  administrator(name: 'admin' | 'super-admin' = 'admin'): Credential {
    const certificate = this.#around.world.certificates.get(name);
    assert(certificate !== undefined, 'the administrator has a certificate');
    return { kind: 'certificate', certificate };
  }

  process(name: ProcessName, node = ''): Process | undefined {
    return this.#processes.get(processKey(name, node));
  }

  /** Starts every process that has components. */
  start(): void {
    const nodes = [...this.#around.world.machines.keys()];
    for (const kind of PROCESSES) {
      const own = this.#components.filter((component) => component.process === kind.name);
      for (const node of kind.everyNode ? nodes : ['']) this.#startOne(kind, own, node);
    }
  }

  #startOne(kind: (typeof PROCESSES)[number], own: readonly ComponentDefinition[], node: string): void {
    const { everyNode, name, leads, qps, burst, ownAccounts, needsCertificate } = kind;
    const certificate = kind.certificate === undefined || !everyNode ? kind.certificate : `${kind.certificate}-${node}`;
    const around = { ...this.#around, prng: this.#around.prng.split(`${name} ${node}`) };
    const process = new Process({ name, node, certificate, leads, qps, burst, ownAccounts, needsCertificate }, own, around);
    this.#processes.set(processKey(name, node), process);
    if (!everyNode) this.#around.world.processes.set(name, () => process.state !== 'stopped');
    if (own.length > 0) process.start();
  }

  /** A machine is bought, and joins the cluster. */
  #join(machine: JoiningMachine): void {
    const { world, prng, agenda } = this.#around;
    if (world.machines.has(machine.name))
      throw new PodcheckError('bad-input', `there is a machine ${machine.name} already`, 'give the new one another name');
    const spec = machineSpec(machine, world.machines.size);
    world.machines.set(spec.name, { spec, prng: prng.split(`machine ${spec.name}`), state: undefined });
    world.datacenter.addMachine({ name: spec.name, address: spec.address, podNetwork: spec.podNetwork });
    for (const certificate of machineCertificates(spec, world.configuration, agenda.now)) world.certificates.put(certificate);
    for (const kind of PROCESSES)
      if (kind.everyNode)
        this.#startOne(
          kind,
          this.#components.filter((component) => component.process === kind.name),
          spec.name,
        );
  }

  inject(fault: Fault): void {
    const { server, world, heartbeats } = this.#around;
    switch (fault.fault) {
      case 'stop':
      case 'start':
      case 'restart':
        if (fault.process === 'kube-apiserver') this.#switchServer(fault.fault);
        else this.#switchProcess(fault.fault, fault.process, fault.node);
        break;
      case 'slow':
        this.#processOf(fault.process, fault.node).slowness = fault.milliseconds;
        break;
      case 'etcd':
        server.etcd = fault.state;
        break;
      case 'certificate':
        this.#changeCertificate(fault);
        break;
      case 'renew':
        this.#renew(fault.certificates);
        break;
      case 'webhook-server':
        this.#putWebhookServer(fault.server);
        break;
      case 'join':
        this.#join(fault.machine);
        break;
      case 'compact':
        this.#store.compact(this.#store.revision);
        break;
      case 'part': {
        const handler = world.parts.get(fault.part);
        const wrong = handler === undefined ? `there is no part ${fault.part}` : handler(fault.what, fault.with);
        if (wrong !== undefined) throw new PodcheckError('bad-input', wrong, `parts are ${[...world.parts.keys()].join(', ')}`);
      }
    }
    heartbeats.refresh();
  }

  #switchServer(how: 'stop' | 'start' | 'restart'): void {
    if (how !== 'start') this.#around.server.stop();
    this.#around.heartbeats.refresh();
    if (how !== 'stop') this.#around.server.start();
  }

  #switchProcess(how: 'stop' | 'start' | 'restart', name: ProcessName, node: string | undefined): void {
    const process = this.#processOf(name, node);
    if (how !== 'start') process.stop();
    this.#around.heartbeats.refresh();
    if (how !== 'stop') process.start();
  }

  #processOf(name: ProcessName, node: string | undefined): Process {
    const process = this.process(name, node);
    if (process !== undefined) return process;
    const known = [...this.#processes.values()].map((one) => one.name);
    throw new PodcheckError(
      'bad-input',
      `there is no process ${name}${node === undefined ? '' : ` on ${node}`}`,
      `processes are ${known.slice(0, 12).join(', ')}`,
    );
  }

  /** Whoever signed its certificate is an authority from then on, so that a caBundle can have it. */
  #putWebhookServer(server: WebhookServer): void {
    const { agenda, world } = this.#around;
    const issuer = server.certificate?.issuer;
    if (issuer !== undefined && world.certificates.get(issuer) === undefined)
      world.certificates.put(authorityOf(issuer, issuer, agenda.now));
    world.webhookServers.put(server);
  }

  #changeCertificate(fault: Fault & { readonly fault: 'certificate' }): void {
    const known = this.#around.world.certificates.get(fault.name);
    if (known === undefined)
      throw new PodcheckError(
        'bad-input',
        `there is no certificate ${fault.name}`,
        `certificates are ${this.#around.world.certificates
          .all()
          .map(({ name }) => name)
          .join(', ')}`,
      );
    const { notBefore, notAfter, issuer, dnsNames } = fault;
    this.#around.world.certificates.put({
      ...known,
      ...(notBefore === undefined ? {} : { notBefore }),
      ...(notAfter === undefined ? {} : { notAfter }),
      ...(issuer === undefined ? {} : { issuer }),
      ...(dnsNames === undefined ? {} : { dnsNames }),
      unattended: true,
    });
  }

  /** `kubeadm certs renew`, for the certificates it renews and, by name, for all others: the same names, new dates and keys. */
  #renew(names: readonly string[]): void {
    const { agenda, world } = this.#around;
    const fresh = new Map(
      clusterCertificates(
        world.configuration,
        [...world.machines.values()].map(({ spec }) => spec),
        agenda.now,
      ).map((certificate) => [certificate.name, certificate]),
    );
    for (const name of names.flatMap((given) => (given === 'all' ? RENEWED : [KUBEADM_NAMES[given] ?? given]))) {
      const certificate = fresh.get(name);
      if (certificate === undefined)
        throw new PodcheckError(
          'bad-input',
          `there is no certificate ${name} to renew`,
          `certificates are all, ${[...fresh.keys()].join(', ')}`,
        );
      world.certificates.put(certificate);
    }
  }

  /** The node whose kubelet comes with that certificate; undefined when it is somebody else's. */
  nodeOfCertificate(name: string): string | undefined {
    for (const { settings } of this.#processes.values()) if (settings.certificate === name && settings.node !== '') return settings.node;
    return undefined;
  }

  #makeCertificates(): void {
    const { agenda, world } = this.#around;
    const { certificates } = world;
    certificates.onPut((certificate) => this.#watchCertificate(certificate));
    const machines = [...world.machines.values()].map(({ spec }) => spec);
    for (const certificate of clusterCertificates(world.configuration, machines, agenda.now)) certificates.put(certificate);
  }

  /** Nothing asks whether a certificate still holds: its end is a moment, and so is its renewal. */
  #watchCertificate(certificate: Certificate): void {
    if (this.#processes.size > 0) this.#certificateTurned(certificate);
    for (const moment of [certificate.notBefore, certificate.notAfter + 1]) {
      if (moment <= this.#around.agenda.now) continue;
      this.#around.agenda.at(moment, `certificate ${certificate.name}`, () => this.#certificateTurned(certificate), { background: true });
    }
  }

  #certificateTurned(certificate: Certificate): void {
    if (this.#around.world.certificates.get(certificate.name) !== certificate) return;
    this.#around.trace.record(this.#around.agenda.now, 'note', {
      certificate: certificate.name,
      what: this.#around.agenda.now > certificate.notAfter ? 'ended' : 'begins',
      notAfter: formatInstant(certificate.notAfter),
    });
    if (this.#around.server.unavailable() !== undefined) this.#around.server.endWatches();
    this.#around.heartbeats.refresh();
    this.#around.server.announceReachable();
    if (certificate.name.startsWith('front-proxy')) this.#around.world.aggregated.announce();
    for (const process of this.#processes.values()) {
      if (
        process.settings.certificate === certificate.name ||
        (certificate.name === CLUSTER_CA && process.settings.certificate !== undefined)
      )
        process.certificateTurned();
    }
  }
}

/** Source: kubeadm's manifests; the components' defaults of --kube-api-qps and --kube-api-burst. */
const PROCESSES: readonly {
  readonly name: ProcessName;
  readonly certificate: string | undefined;
  readonly leads: boolean | 'releasing';
  readonly qps: number;
  readonly burst: number;
  readonly ownAccounts: boolean;
  readonly needsCertificate: boolean;
  readonly everyNode: boolean;
}[] = [
  {
    name: 'kube-controller-manager',
    certificate: 'kube-controller-manager',
    leads: true,
    qps: 20,
    burst: 30,
    ownAccounts: true,
    needsCertificate: false,
    everyNode: false,
  },
  {
    name: 'kube-scheduler',
    certificate: 'kube-scheduler',
    leads: 'releasing',
    qps: 50,
    burst: 100,
    ownAccounts: false,
    needsCertificate: false,
    everyNode: false,
  },
  {
    name: 'kubelet',
    certificate: 'kubelet',
    leads: false,
    qps: 50,
    burst: 100,
    ownAccounts: false,
    needsCertificate: true,
    everyNode: true,
  },
  {
    name: 'kube-proxy',
    certificate: undefined,
    leads: false,
    qps: 5,
    burst: 10,
    ownAccounts: true,
    needsCertificate: false,
    everyNode: true,
  },
  {
    name: 'csi-provisioner',
    certificate: undefined,
    leads: false,
    qps: 5,
    burst: 10,
    ownAccounts: true,
    needsCertificate: false,
    everyNode: false,
  },
  {
    name: 'csi-attacher',
    certificate: undefined,
    leads: false,
    qps: 5,
    burst: 10,
    ownAccounts: true,
    needsCertificate: false,
    everyNode: false,
  },
  {
    name: 'metrics-server',
    certificate: undefined,
    leads: false,
    qps: 5,
    burst: 10,
    ownAccounts: true,
    needsCertificate: false,
    everyNode: false,
  },
];

/** What kubeadm calls them where it is not what they are called here. Source: cmd/kubeadm/app/phases/certs/renewal/manager.go. */
const KUBEADM_NAMES: Readonly<Record<string, string>> = {
  'admin.conf': 'admin',
  'super-admin.conf': 'super-admin',
  'controller-manager.conf': 'kube-controller-manager',
  'scheduler.conf': 'kube-scheduler',
};

/** What `kubeadm certs renew all` renews: neither authorities nor what kubelets have. */
const RENEWED = [
  'admin',
  'apiserver',
  'apiserver-etcd-client',
  'apiserver-kubelet-client',
  'kube-controller-manager',
  'etcd-healthcheck-client',
  'etcd-peer',
  'etcd-server',
  'front-proxy-client',
  'kube-scheduler',
  'super-admin',
];

function processKey(name: ProcessName, node: string): string {
  return `${name}/${node}`;
}
