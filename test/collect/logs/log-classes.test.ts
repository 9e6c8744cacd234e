import { describe, expect, it } from 'vitest';
import { classifyLine } from '../../../src/collect/logs/log-classes.ts';

describe('the class of a log line', () => {
  it.each([
    ['exec /app/server: exec format error', { class: 'exec-format', path: '/app/server' }],
    ['exec /app/run.sh: no such file or directory', { class: 'interpreter-missing', path: '/app/run.sh' }],
    ["env: can't execute 'python3': No such file or directory", { class: 'interpreter-missing', path: 'python3' }],
    ['/bin/sh: 1: serve: not found', { class: 'command-not-found', path: 'serve' }],
    ['bash: line 1: serve: command not found', { class: 'command-not-found', path: 'serve' }],
    ['listen tcp :8080: bind: address already in use', { class: 'address-in-use', port: 8080 }],
    ['Error: listen EADDRINUSE: address already in use :::3000', { class: 'address-in-use', port: 3000 }],
    ['2026-01-15 11:59:32.730 ERROR: Port 18885 was already in use.', { class: 'address-in-use', port: 18885 }],
    ['open /var/run/web.pid: read-only file system', { class: 'read-only-filesystem', path: '/var/run/web.pid' }],
    ['write /data/wal: no space left on device', { class: 'no-space', path: '/data/wal' }],
    ["cat: can't open '/key/id': Permission denied", { class: 'permission-denied', path: '/key/id' }],
    ["can't open the file dump.rdb for reading: Permission denied", { class: 'permission-denied', path: 'dump.rdb' }],
    ['listen tcp :80: bind: permission denied', { class: 'bind-denied', port: 80 }],
    ['java.lang.OutOfMemoryError: Java heap space', { class: 'out-of-memory' }],
    ['worker exited with status 137', { class: 'child-killed' }],
  ])('of %j is told, with what it is about', (line, expected) => {
    expect(classifyLine(line)).toEqual(expected);
  });

  it.each(["Access denied for user 'web'@'10.0.0.7'", 'permission denied for table orders', 'order 137 accepted, {"currency_code":"TRY","units":"137"}', 'listening on port 8080'])(
    'of %j is not one of files and ports',
    (line) => {
      expect(classifyLine(line)).toBeUndefined();
    },
  );
});
