import { describe, expect, it } from 'vitest';
import { heardIn } from '../../support/heard.ts';

describe('what a log line says', () => {
  it.each([
    ['exec /app/server: exec format error', 'exec-format-error', { command: '/app/server' }],
    ['exec /app/run.sh: no such file or directory', 'interpreter-not-found', { command: '/app/run.sh' }],
    ["env: can't execute 'python3': No such file or directory", 'interpreter-not-found', { command: 'python3' }],
    ['/bin/sh: 1: serve: not found', 'command-not-found', { command: 'serve' }],
    ['bash: line 1: serve: command not found', 'command-not-found', { command: 'serve' }],
    ['listen tcp :8080: bind: address already in use', 'port-conflict', {}],
    ['2026-01-15 11:59:32.730 ERROR: Port 18885 was already in use.', 'port-conflict', { port: 18885 }],
    ['open /var/run/web.pid: read-only file system', 'read-only-root-filesystem', {}],
    ['write /data/wal: no space left on device', 'no-space-left', {}],
    ["cat: can't open '/key/id': Permission denied", 'permission-denied', {}],
    ['java.io.FileNotFoundException: /data/wal (Permission denied)', 'permission-denied', {}],
    ['java.io.FileNotFoundException: /data/wal (No such file or directory)', 'file-not-found', {}],
    ['listen tcp :80: bind: permission denied', 'privileged-port-denied', {}],
    ['Error: listen EACCES: permission denied 0.0.0.0:80', 'privileged-port-denied', {}],
    ['worker exited with status 137', 'oom-killed', {}],
    ['permission denied for table orders', 'database-permission-denied', { object: 'orders' }],
  ])('in %j is containers/%s', (line, rule, captured) => {
    const heard = heardIn('log', line);
    expect([heard?.rule.id, heard?.captured]).toEqual([`containers/${rule}`, captured]);
  });

  it.each(['order 137 accepted, {"currency_code":"TRY","units":"137"}', 'started in 8080 ms'])('is nothing in %j', (line) => {
    expect(heardIn('log', line)).toBeUndefined();
  });
});
