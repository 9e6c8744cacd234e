import { describe, expect, it } from 'vitest';
import { heardIn } from '../../support/heard.ts';

const RUNC =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ';

describe('what a failed start says', () => {
  it.each([
    [
      'containers/command-not-found',
      { command: 'serve' },
      `${RUNC}error during container init: exec: "serve": executable file not found in $PATH`,
    ],
    [
      'containers/command-not-found',
      { command: '/app/serve' },
      `${RUNC}exec: \\"/app/serve\\": stat /app/serve: no such file or directory: unknown`.replaceAll('\\"', '"'),
    ],
    [
      'containers/command-not-found',
      { command: 'serve' },
      'container create failed: executable file `serve` not found in $PATH: No such file or directory',
    ],
    [
      'containers/entrypoint-not-executable',
      { command: '/app/run.sh' },
      `Error: ${RUNC}error during container init: exec: "/app/run.sh": permission denied`,
    ],
    [
      'containers/working-directory-unusable',
      { directory: '/srv/web' },
      `${RUNC}chdir to cwd ("/srv/web") set in config.json failed: no such file or directory`,
    ],
    [
      'containers/working-directory-unusable',
      { directory: '/etc/passwd' },
      `${RUNC}error during container init: mkdir /etc/passwd: not a directory`,
    ],
    [
      'volumes/mount-path-not-a-directory',
      { path: '/etc/passwd' },
      `${RUNC}error during container init: error mounting "/var/lib/kubelet/conf" to rootfs at "/etc/passwd": mount src=/x, dst=/etc/passwd: not a directory`,
    ],
    [
      'volumes/mount-point-read-only',
      { path: '/cache' },
      `${RUNC}error during container init: error mounting "/x" to rootfs at "/cache": mkdir /run/rootfs/cache: read-only file system`,
    ],
    ['containers/oom-killed', {}, `${RUNC}container init was OOM-killed (memory limit too low?)`],
    [
      'containers/run-as-non-root-violated',
      {},
      'container has runAsNonRoot and image will run as root (pod: "web-1_shop(7)", container: web)',
    ],
    [
      'containers/run-as-non-root-violated',
      { user: 'app' },
      'container has runAsNonRoot and image has non-numeric user (app), cannot verify user is non-root',
    ],
    ['volumes/subpath-failure', { volume: 'data' }, 'failed to prepare subPath for volumeMount "data" of container "web"'],
    [
      'containers/user-not-in-image',
      { user: 'app' },
      'failed to generate container "7" spec: unable to find user app: no matching entries in passwd file',
    ],
    ['containers/no-command', {}, 'failed to generate container "7" spec: failed to generate spec: no command specified'],
    ['containers/exec-format-error', { command: '/app' }, 'exec /app: exec format error'],
  ])('is %s about %j', (rule, captured, message) => {
    const heard = heardIn('start', message);
    expect([heard?.rule.id, heard?.captured]).toEqual([rule, captured]);
  });

  it.each([
    'context deadline exceeded',
    `${RUNC}error mounting "/x" to rootfs at "/y": stat /x: no such file or directory`,
    'cannot find volume "data" to mount into container "web"',
  ])('is no cause that a rule knows: %j', (message) => {
    expect(heardIn('start', message)).toBeUndefined();
  });
});
