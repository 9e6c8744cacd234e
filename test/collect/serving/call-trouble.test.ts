import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../../src/catalog/bundled-data.ts';
import { callTrouble } from '../../../src/collect/serving/call-trouble.ts';
import { vocabularyOf } from '../../../src/collect/survey/vocabulary.ts';

const VOCABULARY = vocabularyOf(await shippedRules());

describe('what a line tells of a call', () => {
  it.each([
    ['dial tcp 10.96.4.7:5432: connect: connection refused', { class: 'refused', host: '10.96.4.7', port: 5432 }],
    ['Error: connect ECONNREFUSED 127.0.0.1:6379', { class: 'refused', host: '127.0.0.1', port: 6379 }],
    ['curl: (7) Failed to connect to ledger port 8080: Connection refused', { class: 'refused', host: 'ledger', port: 8080 }],
    [
      'connection to server at "ledger" (10.96.4.7), port 5432 failed: Connection refused',
      { class: 'refused', host: 'ledger', port: 5432 },
    ],
    ['connect ETIMEDOUT 10.96.4.7:443', { class: 'timeout', host: '10.96.4.7', port: 443 }],
    ['dial tcp: lookup ledger.shop.svc on 10.96.0.10:53: no such host', { class: 'name-not-resolved', host: 'ledger.shop.svc' }],
    ['java.net.UnknownHostException: ledger: Name or service not known', { class: 'name-not-resolved', host: 'ledger' }],
    ['getaddrinfo ENOTFOUND ledger', { class: 'name-not-resolved', host: 'ledger' }],
    ["Access denied for user 'shop'@'10.1.0.7' (using password: YES)", { class: 'credentials', server: 'mysql', caller: '10.1.0.7' }],
    ["Access denied for user 'shop'@'web-1' (using password: YES)", { class: 'credentials', server: 'mysql' }],
    ['Connection refused', { class: 'refused' }],
    ['FATAL: password authentication failed for user "shop"', { class: 'credentials', server: 'postgres' }],
    ['dial tcp: lookup ledger.shop.svc.: no such host', { class: 'name-not-resolved', host: 'ledger.shop.svc' }],
    ['connect: connection refused', { class: 'refused' }],
    ['dial tcp: lookup ledger.: no such host', { class: 'name-not-resolved', host: 'ledger' }],
    // BusyBox, OpenBSD's nc, GNU Wget, bash, Python's urllib3, Ruby, .NET, Rust's reqwest, PHP's phpredis.
    ["wget: can't connect to remote host (10.96.4.7): Connection refused", { class: 'refused', host: '10.96.4.7' }],
    ['nc: ledger (10.96.4.7:8080): Connection refused', { class: 'refused', host: '10.96.4.7', port: 8080 }],
    ['nc: connect to ledger (10.96.4.7) port 8080 (tcp) failed: Connection refused', { class: 'refused', host: 'ledger', port: 8080 }],
    ['Connecting to ledger (ledger)|10.96.4.7|:8080... failed: Connection refused.', { class: 'refused', host: '10.96.4.7', port: 8080 }],
    ['bash: line 1: /dev/tcp/ledger/8080: Connection refused', { class: 'refused', host: 'ledger', port: 8080 }],
    [
      "HTTPConnectionPool(host='ledger', port=8080): Max retries exceeded with url: / (Caused by NewConnectionError('[Errno 111] Connection refused'))",
      { class: 'refused', host: 'ledger', port: 8080 },
    ],
    [
      'Failed to open TCP connection to ledger:8080 (Connection refused - connect(2) for "ledger" port 8080)',
      { class: 'refused', host: 'ledger', port: 8080 },
    ],
    ['System.Net.Http.HttpRequestException: Connection refused (ledger:8080)', { class: 'refused', host: 'ledger', port: 8080 }],
    [
      'error sending request for url (http://ledger:8080/): tcp connect error: Connection refused (os error 111)',
      { class: 'refused', host: 'ledger', port: 8080 },
    ],
    [
      'Connection to ledger:5432 refused. Check that the hostname and port are correct. Connection refused',
      { class: 'refused', host: 'ledger', port: 5432 },
    ],
    ['Error 111 connecting to ledger:6379. Connection refused.', { class: 'refused', host: 'ledger', port: 6379 }],
    ["Can't connect to MySQL server on 'ledger:3306' (111) Connection refused", { class: 'refused', host: 'ledger', port: 3306 }],
  ])('names the class and the address in %j', (line, expected) => {
    expect(callTrouble(line, 'log', VOCABULARY)).toEqual(expected);
  });

  it('names nothing where no call failed', () => {
    expect(callTrouble('connected to ledger:5432', 'log', VOCABULARY)).toBeUndefined();
  });
});
