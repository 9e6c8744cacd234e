import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { Serving } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { createCluster } from '../../src/simulator/index.ts';
import { WireClient } from './client.ts';
import { SpdyClient } from './spdy-client.ts';
import { BINARY, frames, masked, TEXT, Upgraded, webSocketHeaders } from './upgraded.ts';

const IMAGE = 'registry.k8s.io/e2e-test-images/agnhost:2.63.0';
const PODS: readonly JsonObject[] = [
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: {
      containers: [
        { name: 'web', image: IMAGE, args: ['netexec'] },
        { name: 'name', image: IMAGE, args: ['serve-hostname', '--tcp', '--port=9000'] },
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'done' },
    spec: { restartPolicy: 'Never', containers: [{ name: 'done', image: 'busybox:1.36', command: ['true'] }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'waiting' },
    spec: { nodeSelector: { disk: 'none' }, containers: [{ name: 'web', image: IMAGE }] },
  },
];
let serving: Serving;
let client: WireClient;

beforeAll(async () => {
  const cluster = createCluster({ seed: 3, preset: 'one-node' });
  cluster.apply(PODS, { namespace: 'default' });
  cluster.advance(60_000);
  serving = await startServing({ cluster });
  client = new WireClient(serving.kubeconfig);
});
afterAll(() => serving.close());

const TUNNEL = 'SPDY/3.1+portforward.k8s.io';

function pathOf(pod: string, ports = ''): string {
  return `/api/v1/namespaces/default/pods/${pod}/portforward${ports}`;
}

/** As kubectl does: in a WebSocket since 1.31, without one before. */
function forwarded(way: 'WebSocket' | 'SPDY', pod = 'web', who = client): { readonly connection: Upgraded; readonly spdy: SpdyClient } {
  if (way === 'SPDY') {
    const connection: Upgraded = new Upgraded(who, {
      path: pathOf(pod),
      method: 'POST',
      headers: { Upgrade: 'SPDY/3.1', 'X-Stream-Protocol-Version': 'portforward.k8s.io' },
      take: (part) => spdy.take(part),
    });
    const spdy = new SpdyClient((bytes) => connection.raw(bytes));
    return { connection, spdy };
  }
  const connection: Upgraded = new Upgraded(who, {
    path: pathOf(pod),
    headers: webSocketHeaders(TUNNEL),
    take: frames(({ kind, payload }) => (kind === BINARY ? spdy.take(payload) : undefined)),
  });
  const spdy = new SpdyClient((bytes) => connection.raw(masked(Buffer.from(bytes))));
  return { connection, spdy };
}

async function streams(spdy: SpdyClient, port: string, request: Readonly<Record<string, string>>): Promise<[data: number, error: number]> {
  const error = await spdy.open({ streamtype: 'error', port, ...request });
  spdy.send(error, '', true);
  return [await spdy.open({ streamtype: 'data', port, ...request }), error];
}

const ASK = 'GET /echo?msg=goods HTTP/1.1\r\nHost: shop\r\n\r\n';

describe.each(['WebSocket', 'SPDY'] as const)('a port that is forwarded over %s', (way) => {
  it('reaches what listens there, once for each connection', async () => {
    const { spdy, connection } = forwarded(way);
    for (const requestid of ['0', '1']) {
      const [data, error] = await streams(spdy, '8080', { requestid });
      spdy.send(data, ASK.slice(0, 9));
      spdy.send(data, ASK.slice(9));
      await expect.poll(() => spdy.texts[data]).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*\r\n\r\ngoods$/);
      spdy.send(data, '', true);
      await expect.poll(() => spdy.ended).toContain(data);
      expect(spdy.texts[error] ?? '').toBe('');
    }
    expect(connection.head).toMatch(/^HTTP\/1.1 101 /);
    connection.close();
  });

  it('that nobody listens on is told in the words of the runtime', async () => {
    const { spdy, connection } = forwarded(way);
    const [data, error] = await streams(spdy, '81', {});
    await expect
      .poll(() => spdy.texts[error])
      .toMatch(
        /^error forwarding port 81 to pod \w{64}, uid : failed to execute portforward in network namespace "[^"]*": failed to connect to localhost:81 inside namespace "\w{64}", IPv4: dial tcp4 127.0.0.1:81: connect: connection refused IPv6 dial tcp6: address localhost: no suitable address found $/,
      );
    expect(spdy.ended).toEqual(expect.arrayContaining([data, error]));
    connection.close();
  });

  it('may speak another protocol than HTTP', async () => {
    const { spdy, connection } = forwarded(way);
    const [data] = await streams(spdy, '9000', { requestid: '7' });
    spdy.send(data, 'who are you');
    await expect.poll(() => spdy.texts[data]).toBe('web');
    connection.close();
  });

  it.each([
    ['done', 500, 'pod not found ("done_default")'],
    ['waiting', 400, 'pod waiting does not have a host assigned'],
    ['gone', 404, String.raw`pods \"gone\" not found`],
  ])('of pod %s is refused', async (pod, code, words) => {
    const { connection } = forwarded(way, pod);
    await expect.poll(() => connection.head).toContain(`HTTP/1.1 ${code} `);
    await expect.poll(() => connection.rest).toContain(words);
  });

  it('needs a right', async () => {
    const { connection } = forwarded(way, 'web', new WireClient(serving.kubeconfigFor('jane', [])));
    await expect.poll(() => connection.rest).toContain('cannot');
    expect(connection.head).toContain('HTTP/1.1 403 ');
  });

  it('is lost for a stream of no port', async () => {
    const { spdy, connection } = forwarded(way);
    await spdy.open({ streamtype: 'data', port: '0', requestid: '1' });
    await expect.poll(() => spdy.controls).toContain(3);
    connection.close();
  });
});

describe('ports that are forwarded over channels', () => {
  it.each(['v4.channel.k8s.io', 'v4.base64.channel.k8s.io', ''])('in protocol %j have two channels each', async (protocol) => {
    const texts: Record<number, string> = {};
    const connection = new Upgraded(client, {
      path: pathOf('web', '?ports=8080&ports=81'),
      headers: webSocketHeaders(protocol),
      take: frames(({ kind, payload }) => {
        const [first = 0] = payload;
        const [channel, bytes] =
          kind === TEXT ? [first - 48, Buffer.from(payload.subarray(1).toString(), 'base64')] : [first, payload.subarray(1)];
        if (kind === TEXT || kind === BINARY) texts[channel] = (texts[channel] ?? '') + bytes.toString('latin1');
      }),
    });
    await expect.poll(() => texts[3]).toContain('connection refused');
    const asked = protocol.includes('base64') ? `0${Buffer.from(ASK).toString('base64')}` : `\0${ASK}`;
    connection.raw(masked(Buffer.from(asked)));
    await expect.poll(() => texts[0]).toMatch(/\r\n\r\ngoods$/);
    // Each begins with its port, the lower byte first.
    expect([texts[0]?.slice(0, 2), texts[1], texts[2], texts[3]?.slice(0, 2)]).toEqual(['\u0090\u001F', '\u0090\u001F', 'Q\0', 'Q\0']);
    connection.close();
  });

  it.each([
    ['', 'query parameter "port" is required'],
    ['?ports=x', String.raw`cannot convert to []int32: strconv.ParseUint: parsing \"x\": invalid syntax`],
    ['?ports=0', 'port "0" must be > 0'],
  ])('need ports: %j', async (ports, words) => {
    const connection = new Upgraded(client, { path: pathOf('web', ports), headers: webSocketHeaders(''), take: () => undefined });
    await expect.poll(() => connection.rest).toContain(words);
    expect(connection.head).toContain('HTTP/1.1 400 ');
  });
});
