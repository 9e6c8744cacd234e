import { describe, expect, it } from 'vitest';
import { listenCommand, listenLine, listenVariable, tellsStart } from '../../../src/collect/logs/listen-words.ts';

describe('a port that a program listens on', () => {
  it.each([
    ['listening on port: 8080', { port: 8080, loopback: false }],
    ['starting to listen on tcp: "[::]:5050"', { port: 5050, loopback: false }],
    ['Orders gRPC server started on port 50051', { port: 50051, loopback: false, protocol: 'grpc' }],
    ['Tomcat started on port(s): 8080 (http) with context path', { port: 8080, loopback: false, protocol: 'http' }],
    [' * Running on http://127.0.0.1:5000', { port: 5000, loopback: true, protocol: 'http' }],
    ['Server listening on http://localhost:3000', { port: 3000, loopback: true, protocol: 'http' }],
    ['listening on IPv4 address "0.0.0.0", port 5432', { port: 5432, loopback: false }],
    ['shop started, listening on 9555', { port: 9555, loopback: false }],
    ['listening on port 8080 on localhost', { port: 8080, loopback: true }],
    ['listening on 0.0.0.0:8080, ask at localhost', { port: 8080, loopback: false }],
    ['Jetty started on port 8080', { port: 8080, loopback: false, protocol: 'http' }],
    ['started on port 8443 (https)', { port: 8443, loopback: false, protocol: 'https' }],
    ['listening on grpc://0.0.0.0:9090', { port: 9090, loopback: false, protocol: 'grpc' }],
    ['listening on tcp://0.0.0.0:9090', { port: 9090, loopback: false }],
    ['listening on https://*:8443', { port: 8443, loopback: false, protocol: 'https' }],
    ['listening on port 65535', { port: 65535, loopback: false }],
    ['listening on port 10', { port: 10, loopback: false }],
  ])('is read from the line %j', (line, expected) => {
    expect(listenLine(line)).toEqual(expected);
  });

  it.each([
    'connecting to redis:6379',
    'started server at 12:30:45',
    'failed to listen on :8080: address already in use',
    "Identify and stop the process that's listening on port 8080",
    'metrics listening on :9090',
    'started in 8080 ms',
    'listening on port 65536',
    'listening on port 00',
    'listening',
    'port 8080 is open',
  ])('is not read from %j', (line) => {
    expect(listenLine(line)).toBeUndefined();
  });

  it.each([
    ['httpd -f -p 127.0.0.1:8080', [{ port: 8080, loopback: true }]],
    ['server --port=9000 --db-port=5432', [{ port: 9000, loopback: false }]],
    ['manage.py runserver 0.0.0.0:8000', [{ port: 8000, loopback: false }]],
    ['server --redis-addr=redis:6379', []],
    ['nc -z db 5432', []],
    ['server --port 65536 --http-port 65535', [{ port: 65535, loopback: false }]],
    ['serve 8000', [{ port: 8000, loopback: false }]],
    ['serve localhost:8000', [{ port: 8000, loopback: true }]],
    ['serve db:8000', []],
    ['server --listen http://0.0.0.0:8080', [{ port: 8080, loopback: false, protocol: 'http' }]],
    ['server --listen https://*:8443', [{ port: 8443, loopback: false, protocol: 'https' }]],
    ['server --listen https://[::]:8443', [{ port: 8443, loopback: false, protocol: 'https' }]],
    ['server --bind [::1]:8080', [{ port: 8080, loopback: true }]],
    ['serve [::]:8000', [{ port: 8000, loopback: false }]],
    ['server -addr :8080', [{ port: 8080, loopback: false }]],
    ['server --bind *:8080 --addr db:9000', [{ port: 8080, loopback: false }]],
    [
      'server --port=8080 serve 9000',
      [
        { port: 8080, loopback: false },
        { port: 9000, loopback: false },
      ],
    ],
  ])('is read from the command %j', (command, expected) => {
    expect(listenCommand(command)).toEqual(expected);
  });

  it('is read from variables that by custom hold it, and from no others', () => {
    expect(listenVariable('PORT', '8080')).toEqual({ port: 8080, loopback: false });
    expect(listenVariable('ASPNETCORE_URLS', 'http://+:5000')).toEqual({ port: 5000, loopback: false, protocol: 'http' });
    expect(listenVariable('LISTEN_ADDR', '127.0.0.1:8080')).toEqual({ port: 8080, loopback: true });
    expect(listenVariable('GRPC_PORT', '9090')).toEqual({ port: 9090, loopback: false, protocol: 'grpc' });
    expect(listenVariable('GRPC_PORT', 'http://*:9090')).toEqual({ port: 9090, loopback: false, protocol: 'http' });
    expect(listenVariable('APP_PORT', ' 8080 ')).toEqual({ port: 8080, loopback: false });
    expect(listenVariable('PORT', '65536')).toBeUndefined();
    expect(listenVariable('PORT', '00')).toBeUndefined();
    expect(listenVariable('PORT', 'web')).toBeUndefined();
    expect(listenVariable('REDIS_PORT', '6379')).toBeUndefined();
    expect(listenVariable('PORT', 'tcp://10.0.0.1:80')).toBeUndefined();
  });

  it('is not looked for behind what nobody would read', () => {
    expect(listenLine(`${'x'.repeat(470)} listening on port 8080`)).toBeDefined();
    expect(listenLine(`${'x'.repeat(490)} listening on port 8080`)).toBeUndefined();
    expect(listenCommand(`${'x '.repeat(1990)}--port 8080`)).toHaveLength(1);
    expect(listenCommand(`${'x '.repeat(2000)}--port 8080`)).toEqual([]);
  });
});

describe('the start of a program', () => {
  it.each([
    'server started',
    '[main] started',
    'Started App in 3.1 seconds',
    'shop started web in 2 s',
    'listening on port 8080',
    'pid 1: ready to accept connections',
  ])('is told by %j', (line) => {
    expect(tellsStart(line)).toBe(true);
  });

  it.each(['starting', 'has not started', 'ready', ''])('is not told by %j', (line) => {
    expect(tellsStart(line)).toBe(false);
  });
});
