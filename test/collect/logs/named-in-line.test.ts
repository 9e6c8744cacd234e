import { describe, expect, it } from 'vitest';
import { pathIn, portIn } from '../../../src/collect/logs/named-in-line.ts';

describe('a log line', () => {
  it.each([
    ['open /var/run/web.pid: read-only file system', '/var/run/web.pid'],
    ["cat: can't open '/key/id': Permission denied", '/key/id'],
    ["can't open the file dump.rdb for reading: Permission denied", 'dump.rdb'],
    ["cannot find 'settings'", 'settings'],
    ['time="2026-01-15T11:13:07Z" level=panic msg="open db-79: permission denied"', 'db-79'],
    ['time="2026-01-15T11:13:07Z" level=fatal msg="not ready: permission denied"', undefined],
    ['/opt/till/run: line 8: tools/count.rb: No such file or directory', 'tools/count.rb'],
    ['/bin/sh: ./till: No such file or directory', './till'],
    ['plugin/keys: open keys/till.pem: no such file or directory', 'keys/till.pem'],
    ['worker 7 has ended', undefined],
  ])('%j names the path %s', (line, path) => {
    expect(pathIn(line)).toBe(path);
  });

  it.each([
    ['listen tcp :8080: bind: address already in use', 8080],
    ['[01-Jan-2026 10:20:30] ERROR: unable to bind', undefined],
    ['2026-01-15 10:20:30,123 listen 10.0.0.14:8443 failed', 8443],
    ['Error: listen EADDRINUSE: address already in use :::3000', 3000],
    ["[Errno 98] error while attempting to bind on address ('0.0.0.0', 8000)", 8000],
    ['listen tcp 0.0.0.0:80: bind: permission denied', 80],
    ['worker 7 has ended', undefined],
  ])('%j names the port %s', (line, port) => {
    expect(portIn(line)).toBe(port);
  });
});
