import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubectl } from '../../src/page/kubectl/kubectl.ts';
import { wordsOf } from '../../src/page/kubectl/command-line.ts';
import type { Bench } from '../conformance/kubectl.ts';
import { KUBECTL, NOT_RUN, openBench } from '../conformance/kubectl.ts';
import { OBJECTS } from '../conformance/reading-objects.ts';

describe.runIf(KUBECTL !== undefined)(`kubectl of the page and the real one${NOT_RUN}`, () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
    bench.shop('reading', OBJECTS);
  });
  afterAll(() => bench.close());

  const own = (line: string): string => {
    const { cluster } = bench.serving;
    const words = wordsOf(line);
    const kube = {
      cluster,
      text: undefined,
      send: (request: Parameters<typeof cluster.request>[0]) => cluster.request(request),
      sent: () => undefined,
      passUntil: () => true,
    };
    return 'trouble' in words ? words.trouble : kubectl(words, kube).output;
  };
  /** Ages go on between the two. */
  const ageless = (text: string): string =>
    text
      .replaceAll(/\b(?:\d+[smhdy])+\b/g, 'AGE')
      .replaceAll(/ +/g, ' ')
      .trimEnd();

  it.each([
    'get pods -n reading',
    'get pods -n reading -o wide',
    'get pods -A --show-labels',
    'get deploy,rs,svc,cm -n reading',
    'get all -n reading',
    'get nodes -o wide',
    'get pv,sc',
    'get events -n reading',
    'get deploy web -n reading -o name',
    'get pods -n reading -l app=web',
    'get pods -n nowhere',
    'get pods,svc -n nowhere',
    'get pod nope -n reading',
    'get pod/nope svc/nope -n reading',
    'get pods -n reading --no-headers',
    'rollout history deploy/web -n reading',
    'explain pod.spec.nope',
  ])('print the same for %s', async (line) => {
    const { out, err } = await bench.kubectl(line);
    expect(ageless(own(line))).toBe(ageless(out + err));
  });

  it('lay out columns alike', async () => {
    const { out } = await bench.kubectl('get svc,cm -n reading');
    const columns = (text: string): readonly number[][] =>
      text.split('\n').map((row) => [...row.matchAll(/(?<=\s{2})\S/g)].map(({ index }) => index));
    expect(columns(own('get svc,cm -n reading').trimEnd())).toEqual(columns(out.trimEnd()));
  });

  it('write the same YAML', async () => {
    for (const what of ['deploy web', 'deploy', 'svc', 'rs']) {
      const { out } = await bench.kubectl(`get ${what} -n reading -o yaml`);
      expect(
        own(`get ${what} -n reading -o yaml`)
          .trimEnd()
          .replaceAll(/: "20\d\d-.*"$/gm, ': TIME'),
      ).toBe(out.trimEnd().replaceAll(/: "20\d\d-.*"$/gm, ': TIME'));
    }
  });

  it('describe the same', async () => {
    for (const what of ['deploy/web', 'svc/web', 'pods', 'rs']) {
      const { out } = await bench.kubectl(`describe ${what} -n reading`);
      const plain = (text: string): string =>
        ageless(text)
          .replaceAll(/\w{3}, \d\d \w{3} \d{4} [\d:]{8} [+-]\d{4}/g, 'TIME')
          .replaceAll(/ $/gm, '');
      expect(plain(own(`describe ${what} -n reading`))).toBe(plain(out));
    }
  });
});
