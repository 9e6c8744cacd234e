import { own } from '../../base/own-property.ts';
import type { FileEntry, Files } from '../programs/file-tree.ts';

/** An image as far as its containers show it. */
export interface Image {
  readonly digest: string;
  readonly size: number;
  readonly architectures: readonly string[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  /** As the image says it: empty for root, a number, or a name. */
  readonly user: string;
  readonly workingDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: Files;
  /** Programs in its path; undefined when nothing is known of them, and every program is taken to be there. */
  readonly programs: readonly string[] | undefined;
  /** Ports its own program listens on when the container declares none. */
  readonly ports: readonly number[];
  readonly speaks: 'http' | 'tcp' | 'grpc';
  /** What its program was built for, when that is not what its manifest says. */
  readonly binaryArchitecture?: string;
}

/** What is known of an image by its repository; an application of its own for all that is not known. */
export function catalogImage(repository: string): Omit<Image, 'digest'> {
  return { ...APPLICATION, ...knownImage(repository) };
}

/** What is particular of an image; undefined when nothing is known of it. */
export function knownImage(repository: string): Partial<Image> | undefined {
  const name = repository.split('/').at(-1) ?? repository;
  return own(CATALOG, name) ?? own(CATALOG, name.replace(/-(static|alpine|slim)$/, ''));
}

const APPLICATION: Omit<Image, 'digest'> = {
  size: 5_242_880,
  architectures: ['amd64', 'arm64'],
  entrypoint: ['/app'],
  command: [],
  user: '',
  workingDir: '/',
  env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
  files: files({}),
  programs: undefined,
  ports: [],
  speaks: 'http',
};

const BUSYBOX: readonly string[] =
  'sh ash echo printf expr sleep true false cat test [ nc wget nslookup httpd date hostname env id ls mkdir rm cp mv dd fallocate touch chmod chown head tail grep sed awk cut sort uniq wc tr seq kill ps top df du stat mount which ping vi find xargs tee basename dirname expr pwd uname whoami yes ln tar gzip traceroute netstat ip ifconfig timeout'.split(
    ' ',
  );
const SHELL: readonly string[] = [...BUSYBOX, 'bash', 'getent', 'apt-get', 'dpkg'];

/** Source: test/images/agnhost/Dockerfile. */
const AGNHOST: readonly string[] = [...BUSYBOX, 'agnhost', 'agnhost-2', 'bash', 'curl', 'dig', 'getent'];

const CATALOG: Readonly<Record<string, Partial<Image>>> = {
  busybox: { size: 1_071_344, entrypoint: [], command: ['sh'], programs: BUSYBOX },
  alpine: { size: 3_642_247, entrypoint: [], command: ['/bin/sh'], programs: [...BUSYBOX, 'apk', 'getent'] },
  debian: { size: 48_494_010, entrypoint: [], command: ['bash'], programs: SHELL },
  ubuntu: { size: 29_749_646, entrypoint: [], command: ['/bin/bash'], programs: SHELL },
  curl: { size: 8_000_000, entrypoint: ['/entrypoint.sh'], command: ['curl'], programs: [...BUSYBOX, 'curl'], user: '100' },
  agnhost: {
    size: 51_000_000,
    entrypoint: ['/agnhost'],
    command: ['pause'],
    programs: AGNHOST,
    files: files({
      '/agnhost': { type: 'file', content: '', mode: 0o755 },
      '/agnhost-2': { type: 'file', content: '', mode: 0o755 },
      '/uploads': { type: 'directory' },
      '/localhost.crt': 'certificate of localhost\n',
      '/localhost.key': { type: 'file', content: 'key of localhost\n', mode: 0o600 },
    }),
  },
  // Source: test/images/nautilus.
  nautilus: {
    size: 49_642_095,
    entrypoint: ['httpd', '-f', '-p', '80', '-h', '/usr/share/nginx/html'],
    programs: BUSYBOX,
    files: files({ '/usr/share/nginx/html/data.json': '{\n\t"image": "nautilus.jpg"\n}\n' }),
  },
  pause: { size: 305_869, entrypoint: ['/pause'], command: [], programs: ['pause'] },
  'hello-world': { size: 9_136, entrypoint: [], command: ['/hello'], programs: ['hello'] },
  nginx: {
    size: 72_324_501,
    entrypoint: ['/docker-entrypoint.sh'],
    command: ['nginx', '-g', 'daemon off;'],
    programs: [...SHELL, 'nginx', 'curl'],
    ports: [80],
  },
  'nginx-unprivileged': {
    size: 72_324_501,
    entrypoint: ['/docker-entrypoint.sh'],
    command: ['nginx', '-g', 'daemon off;'],
    programs: [...SHELL, 'nginx', 'curl'],
    ports: [8080],
    user: '101',
  },
  httpd: {
    size: 59_000_000,
    entrypoint: [],
    command: ['httpd-foreground'],
    programs: [...SHELL, 'httpd-foreground'],
    ports: [80],
    workingDir: '/usr/local/apache2',
  },
  redis: {
    size: 45_000_000,
    entrypoint: ['docker-entrypoint.sh'],
    command: ['redis-server'],
    programs: [...SHELL, 'docker-entrypoint.sh', 'redis-server', 'redis-cli'],
    ports: [6379],
    speaks: 'tcp',
    workingDir: '/data',
  },
  memcached: {
    size: 31_000_000,
    entrypoint: ['docker-entrypoint.sh'],
    command: ['memcached'],
    programs: [...SHELL, 'docker-entrypoint.sh', 'memcached'],
    ports: [11_211],
    speaks: 'tcp',
    user: 'memcache',
  },
  postgres: {
    size: 160_000_000,
    entrypoint: ['docker-entrypoint.sh'],
    command: ['postgres'],
    programs: [...SHELL, 'docker-entrypoint.sh', 'postgres', 'psql', 'pg_isready'],
    ports: [5432],
    speaks: 'tcp',
  },
  mysql: {
    size: 230_000_000,
    entrypoint: ['docker-entrypoint.sh'],
    command: ['mysqld'],
    programs: [...SHELL, 'docker-entrypoint.sh', 'mysqld', 'mysql', 'mysqladmin'],
    ports: [3306],
    speaks: 'tcp',
  },
  mariadb: {
    size: 120_000_000,
    entrypoint: ['docker-entrypoint.sh'],
    command: ['mariadbd'],
    programs: [...SHELL, 'docker-entrypoint.sh', 'mariadbd', 'mariadb'],
    ports: [3306],
    speaks: 'tcp',
  },
  mongo: {
    size: 280_000_000,
    entrypoint: ['docker-entrypoint.sh'],
    command: ['mongod'],
    programs: [...SHELL, 'docker-entrypoint.sh', 'mongod', 'mongosh'],
    ports: [27_017],
    speaks: 'tcp',
  },
  rabbitmq: {
    size: 110_000_000,
    entrypoint: ['docker-entrypoint.sh'],
    command: ['rabbitmq-server'],
    programs: [...SHELL, 'docker-entrypoint.sh', 'rabbitmq-server', 'rabbitmq-diagnostics'],
    ports: [5672],
    speaks: 'tcp',
  },
  python: { size: 370_000_000, entrypoint: [], command: ['python3'], programs: [...SHELL, 'python', 'python3', 'pip'] },
  node: {
    size: 390_000_000,
    entrypoint: ['docker-entrypoint.sh'],
    command: ['node'],
    programs: [...SHELL, 'docker-entrypoint.sh', 'node', 'npm'],
  },
  registry: { size: 10_000_000, entrypoint: ['/entrypoint.sh'], command: ['/etc/docker/registry/config.yml'], ports: [5000] },
};

/** Files by path, for images and machines: a text is a file with that content. */
export function files(given: Readonly<Record<string, string | FileEntry>>): Files {
  const base: Record<string, string | FileEntry> = {
    '/etc/passwd': 'root:x:0:0:root:/root:/bin/sh\n',
    '/etc/hosts': '127.0.0.1 localhost\n',
    '/tmp': { type: 'directory', mode: 0o1777 },
    '/dev/null': { type: 'character' },
    ...given,
  };
  return new Map(Object.entries(base).map(([path, entry]) => [path, typeof entry === 'string' ? { type: 'file', content: entry } : entry]));
}

/** What a container's status calls the image it runs: its name without a tag, and its digest. */
export function imageIdOf(name: string, image: Image): string {
  const path = name.split('@')[0] ?? name;
  const colon = path.lastIndexOf(':');
  return `${colon > path.lastIndexOf('/') ? path.slice(0, colon) : path}@${image.digest}`;
}
