import { describe, expect, it } from 'vitest';
import { notFound, statusReply } from '../../support/kube-server.ts';
import { live } from '../../support/live.ts';

describe('a log', () => {
  const POD = { kind: 'Pod', namespace: 'shop', name: 'web-1' };

  it('is the last lines, bounded in number and bytes', async () => {
    const { reader, server } = await live(() => ({ text: 'one\r\ntwo\n' }));
    expect(await reader.logs(POD, 'app', { tailLines: 5 })).toEqual({ ok: true, value: { lines: ['one', 'two'], filtered: false } });
    expect(server.seen[0]?.request.url).toBe('/api/v1/namespaces/shop/pods/web-1/log?container=app&tailLines=5&limitBytes=2097152');
  });

  it('with as many lines as were asked for may have had more', async () => {
    const { reader, server } = await live(() => ({ text: 'one\ntwo\n' }));
    expect(await reader.logs(POD, 'app', { tailLines: 2, previous: true })).toMatchObject({ ok: true, value: { filtered: true } });
    expect(server.seen[0]?.query.get('previous')).toBe('true');
  });

  it('may be empty', async () => {
    const { reader } = await live(() => ({ text: '' }));
    expect(await reader.logs(POD, 'app', { tailLines: 2 })).toEqual({ ok: true, value: { lines: [], filtered: false } });
  });

  it.each(['text/html; charset=utf-8', 'application/json'])('is no log when the answer is something else: %s', async (type) => {
    const { reader } = await live(() => ({ text: '<html><body>Please log in</body></html>', headers: { 'content-type': type } }));
    expect(await reader.logs(POD, 'app', { tailLines: 2 })).toMatchObject({
      ok: false,
      why: 'failed',
      detail: expect.stringContaining(type) as string,
    });
  });

  it('of long lines gives up earlier ones, never the last', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `${index} ${'x'.repeat(100_000)}`);
    const { reader, server } = await live(({ query }) => ({
      text: `${lines.slice(-Number(query.get('tailLines'))).join('\n')}\n`.slice(0, Number(query.get('limitBytes'))),
    }));
    const read = await reader.logs(POD, 'app', { tailLines: 100 });
    expect(server.seen.map(({ query }) => query.get('tailLines'))).toEqual(['100', '10']);
    expect(read.ok && read.value.lines.at(-1)?.startsWith('99 ')).toBe(true);
    expect(read).toMatchObject({ value: { filtered: true } });
    expect(read.ok && Math.max(...read.value.lines.map((line) => line.length))).toBeLessThan(20_000);
  });

  it('that ignores its limits is cut', async () => {
    const { reader } = await live((_, response) => {
      const more = (): void => {
        if (!response.destroyed) response.write('y'.repeat(100_000), () => setImmediate(more));
      };
      more();
      return 'handled';
    });
    const read = await reader.logs(POD, 'app', { tailLines: 1 });
    expect(read).toMatchObject({ ok: true, value: { filtered: true } });
    expect(read.ok && read.value.lines).toHaveLength(1);
  });

  it('of a container that waits has failed with the words of the server', async () => {
    const message = 'container "app" in pod "web-1" is waiting to start: ImagePullBackOff';
    const { reader } = await live(() => statusReply(400, 'BadRequest', message));
    expect(await reader.logs(POD, 'app', { tailLines: 5 })).toEqual({ ok: false, why: 'failed', detail: message });
  });

  it('of a run before the first is absent', async () => {
    const { reader } = await live(() => statusReply(400, 'BadRequest', 'previous terminated container "app" in pod "web-1" not found'));
    expect(await reader.logs(POD, 'app', { tailLines: 5, previous: true })).toMatchObject({ ok: false, why: 'absent' });
  });

  it('whose node is gone has failed, for the pod is still there', async () => {
    const { reader } = await live(() => notFound('nodes', 'worker-1'));
    expect(await reader.logs(POD, 'app', { tailLines: 5 })).toEqual({ ok: false, why: 'failed', detail: 'nodes "worker-1" not found' });
  });

  it('of a pod that is gone is absent, of one that is not ours forbidden', async () => {
    const { reader } = await live(({ path }) =>
      path.includes('web-1') ? notFound('pods', 'web-1') : statusReply(403, 'Forbidden', 'pods "web-2" is forbidden'),
    );
    expect(await reader.logs(POD, 'app', { tailLines: 5 })).toMatchObject({ ok: false, why: 'absent' });
    expect(await reader.logs({ ...POD, name: 'web-2' }, 'app', { tailLines: 5 })).toMatchObject({
      ok: false,
      why: 'forbidden',
      needs: 'get pods/log in shop',
    });
  });
});
