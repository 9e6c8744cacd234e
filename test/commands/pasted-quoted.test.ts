import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';

/** Rules that a text leads to; none also where it holds nothing to diagnose. */
async function rulesFor(text: string): Promise<readonly string[]> {
  const { out } = await podcheck(['diagnose', '--from', '-', '-o', 'json'], { stdin: text });
  const { causes } = (out.startsWith('{') ? JSON.parse(out) : { causes: [] }) as { causes: readonly { rule: string }[] };
  return causes.map(({ rule }) => rule);
}

const NO_ROOM = '0/3 nodes are available: 3 Insufficient cpu.';

describe('words that are only quoted', () => {
  it.each([
    ['code', `pkg/events_test.go:88:\t{reason: "FailedScheduling", message: "${NO_ROOM}"},\n`],
    ['code around it', 'lib/till.js:12:  if (busy)\nlib/till.js-13-    // EADDRINUSE: address already in use :::8080\n'],
    ['the log of a test', `    pull_test.go:14: ${NO_ROOM}\n--- PASS: TestPull (0.00s)\n`],
    ['an alert', `      - alert: NoRoom\n        annotations:\n          description: 'Pod till-0: ${NO_ROOM}'\n`],
    ['a guide', `If you see \`${NO_ROOM}\`, lower the requests.\n`],
    ['a search', '$ kubectl logs till-0 | grep refused\n  503  grep -r "no space left on device" /var/log\n'],
    ['an earlier error as JSON', '{"level":"INFO","msg":"ran","previousError":"configmap \\"till-prices\\" not found"}\n'],
    ['an earlier error as pairs', 'ts=2026-03-04T08:00:00Z level=info msg="ran" last_error="no space left on device" state=ok\n'],
    ['information', `{"severity":"INFO","message":"last run: ${NO_ROOM}","component":"planner"}\n`],
  ])('are no trouble: %s', async (_, text) => {
    expect(await rulesFor(text)).toEqual([]);
  });

  it('differ from an error of the line itself', async () => {
    const text = '{"level":"error","msg":"stopped","error":"dial tcp 10.8.3.4:5432: connect: connection refused"}\n';
    expect(await rulesFor(text)).toEqual(['containers/dependency-refuses-connection']);
  });
});

describe('what a program goes on after', () => {
  const TENSORFLOW =
    "2026-03-04 08:00:00.1: W tensorflow/dso_loader.cc:64] Could not load dynamic library 'libcudart.so.11.0'; dlerror: libcudart.so.11.0: cannot open shared object file: No such file or directory\n";

  it('is a library that TensorFlow can do without', async () => {
    expect(await rulesFor(TENSORFLOW)).toEqual([]);
    expect(
      await rulesFor(`${TENSORFLOW}redis.exceptions.ConnectionError: Error 111 connecting to queue:6379. Connection refused.\n`),
    ).toEqual(['containers/dependency-refuses-connection']);
  });

  it('is a file that a client of nginx asked for', async () => {
    const line =
      '2026/03/04 08:00:09 [error] 31#31: *4 open() "/srv/favicon.ico" failed (2: No such file or directory), client: 10.8.0.1, server: shop.example, request: "GET / HTTP/1.1"\n';
    expect(await rulesFor(line)).toEqual([]);
    expect(await rulesFor(line.replace(/, client.*/, ''))).toEqual(['containers/file-not-found']);
  });
});
