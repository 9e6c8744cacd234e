import { own } from '../../../base/own-property.ts';
import { programOf } from '../../programs/behaviour.ts';
import type { Routine } from '../../time/routine.ts';
import type { CommandRun, Result, Shell } from '../shell-state.ts';
import { grpcHealth, liveness, netexec, porter, serveHostname, testWebserver, webhook } from './servers.ts';
import { mountTest } from './mounttest.ts';

/**
 * The program of Kubernetes' own test image, which is many programs: the first word says which. One that is not known here is a server on
 * the ports of its container. Source: test/images/agnhost.
 */
export function agnhostCommands(): readonly (readonly [string, CommandRun])[] {
  return [
    ['agnhost', (args, shell) => agnhost('/agnhost', args, shell)],
    ['agnhost-2', (args, shell) => agnhost('/agnhost-2', args, shell)],
  ];
}

const PROGRAMS: Readonly<Record<string, CommandRun>> = {
  mounttest: mountTest,
  pause,
  'etc-hosts': tellFile('/etc/hosts'),
  'dns-suffix': tellResolver('search'),
  'dns-server-list': tellResolver('nameserver'),
  netexec,
  webhook,
  'crd-conversion-webhook': webhook,
  'serve-hostname': serveHostname,
  'test-webserver': testWebserver,
  liveness,
  porter,
  'grpc-health-checking': grpcHealth,
};

function* agnhost(name: string, args: readonly string[], shell: Shell): Routine<Result> {
  const [program = '', ...rest] = args;
  // The second name is for telling which of two entry points was started. Source: test/images/agnhost/agnhost.go (main).
  if (program === 'entrypoint-tester' || name === '/agnhost-2') return yield* tellArguments([name, ...args], shell);
  const known = own(PROGRAMS, program);
  if (known !== undefined) return yield* known(rest, shell, true);
  return { code: yield* programOf({}, shell.surroundings.ports)(shell.process) };
}

function* tellArguments(words: readonly string[], shell: Shell): Routine<Result> {
  shell.output(`[${words.join(' ')}]\n`);
  yield* shell.process.sleep(0);
  return { code: 0 };
}

/** Source: test/images/agnhost/dns. */
function tellFile(path: string): CommandRun {
  return function* tell(_args, shell) {
    const read = shell.process.files.read(path, shell.process.user);
    shell.output(typeof read === 'string' ? read : '');
    yield* shell.process.sleep(0);
    return { code: typeof read === 'string' ? 0 : 2 };
  };
}

function tellResolver(word: string): CommandRun {
  return function* tell(_args, shell) {
    const read = shell.process.files.read('/etc/resolv.conf', shell.process.user);
    const line = (typeof read === 'string' ? read : '').split('\n').find((one) => one.startsWith(word));
    shell.output(`${(line ?? '').split(' ').slice(1).join(',')}\n`);
    yield* shell.process.sleep(0);
    return { code: line === undefined ? 2 : 0 };
  };
}

function* pause(_args: readonly string[], shell: Shell): Routine<Result> {
  shell.output('Paused\n');
  shell.process.onTerminate({ kind: 'exit', code: 0, afterMilliseconds: 1 });
  for (;;) yield* shell.process.idle(0);
}
