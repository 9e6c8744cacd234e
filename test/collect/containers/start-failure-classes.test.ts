import { describe, expect, it } from 'vitest';
import { classifyStart } from '../../../src/collect/containers/start-failure-classes.ts';

const RUNC = 'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ';

describe('what a failed start says', () => {
  it.each([
    ['command-not-found', 'serve', `${RUNC}error during container init: exec: "serve": executable file not found in $PATH`],
    ['command-not-found', '/app/serve', `${RUNC}exec: "/app/serve": stat /app/serve: no such file or directory: unknown`],
    ['command-not-found', 'serve', 'container create failed: executable file `serve` not found in $PATH: No such file or directory'],
    ['not-executable', '/app/run.sh', `Error: ${RUNC}error during container init: exec: "/app/run.sh": permission denied`],
    ['working-directory', '/srv/web', `${RUNC}chdir to cwd ("/srv/web") set in config.json failed: no such file or directory`],
    ['working-directory', '/etc/passwd', `${RUNC}error during container init: mkdir /etc/passwd: not a directory`],
    ['mount-not-a-directory', '/etc/passwd', `${RUNC}error during container init: error mounting "/var/lib/kubelet/conf" to rootfs at "/etc/passwd": mount src=/x, dst=/etc/passwd: not a directory`],
    ['mount-read-only', '/cache', `${RUNC}error during container init: error mounting "/x" to rootfs at "/cache": mkdir /run/rootfs/cache: read-only file system`],
    ['out-of-memory', undefined, `${RUNC}container init was OOM-killed (memory limit too low?)`],
    ['run-as-non-root', undefined, 'container has runAsNonRoot and image will run as root (pod: "web-1_shop(7)", container: web)'],
    ['run-as-non-root', 'app', 'container has runAsNonRoot and image has non-numeric user (app), cannot verify user is non-root'],
    ['subpath', 'data', 'failed to prepare subPath for volumeMount "data" of container "web"'],
    ['reference', undefined, 'secret "db" not found'],
    ['user-unknown', 'app', 'failed to generate container "7" spec: unable to find user app: no matching entries in passwd file'],
    ['no-command', undefined, 'failed to generate container "7" spec: failed to generate spec: no command specified'],
    ['runtime-slow', undefined, 'context deadline exceeded'],
    ['other', undefined, 'the moon is in the way'],
  ])('is %s about %s', (name, subject, message) => {
    expect(classifyStart(message)).toMatchObject({ class: name, ...(subject === undefined ? {} : { subject }) });
  });

  it('is nothing for a back-off, which names no cause', () => {
    expect(classifyStart('back-off 40s restarting failed container=web pod=web-1_shop(7)')).toBeUndefined();
  });
});
