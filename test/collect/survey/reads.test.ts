import { describe, expect, it } from 'vitest';
import { Survey } from '../../../src/collect/survey/survey.ts';
import type { ClusterReader, ListRead } from '../../../src/model/cluster-reader.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { eventOn, objectOf } from '../../support/collected.ts';

const WEB = objectOf('Pod', 'web-1', { spec: {} });
const REF = { kind: 'Pod', namespace: 'shop', name: 'web-1' };

interface Answers {
  readonly list?: (kind: string, scope: Parameters<ClusterReader['list']>[1]) => ListRead;
  readonly more?: Partial<ClusterReader>;
}

/** A survey of a reader that gives these answers, with the reads that reach it. */
function surveyOf({ list = () => ({ ok: true, value: [WEB] }), more = {} }: Answers = {}): {
  readonly survey: Survey;
  readonly reads: string[];
} {
  const reads: string[] = [];
  const reader: ClusterReader = {
    get: ({ kind, name }) => {
      reads.push(`get ${kind} ${name}`);
      return Promise.resolve({ ok: false, why: 'absent', detail: 'none' });
    },
    list: (kind, scope) => {
      reads.push(`list ${kind} ${JSON.stringify(scope)}`);
      return Promise.resolve(list(kind, scope));
    },
    logs: ({ name }, container, { previous }) => {
      reads.push(`logs ${name} ${container} ${String(previous)}`);
      return Promise.resolve({ ok: false, why: 'failed', detail: 'no log' });
    },
    now: () => 0,
    ...more,
  };
  return { survey: new Survey(reader), reads };
}

describe('an object that is asked for', () => {
  it('is that of a list of its namespace, or of all namespaces, which was read', async () => {
    for (const scope of [{ namespace: 'shop' }, {}]) {
      const { survey, reads } = surveyOf();
      await survey.list('Pod', scope);
      expect(await survey.get(REF)).toEqual({ ok: true, value: WEB });
      expect(await survey.get({ ...REF, name: 'till' })).toEqual({
        ok: false,
        why: 'absent',
        detail: 'Pod/shop/till is not among the 1 that exist',
      });
      expect(reads).toHaveLength(1);
    }
  });

  it('is asked for where a list was not read whole, or not at all, once', async () => {
    const partial = surveyOf({ list: () => ({ ok: true, value: [], partial: 'it was cut' }) });
    await partial.survey.list('Pod', { namespace: 'shop' });
    await partial.survey.get(REF);
    await partial.survey.get(REF);
    expect(partial.reads.slice(1)).toEqual(['get Pod web-1']);
    const refused = surveyOf({ list: () => ({ ok: false, why: 'forbidden', detail: 'no' }) });
    await refused.survey.list('Pod', { namespace: 'shop' });
    await refused.survey.get(REF);
    expect(refused.reads.slice(1)).toEqual(['get Pod web-1']);
    const other = surveyOf();
    await other.survey.list('Pod', { namespace: 'till' });
    await other.survey.list('Node', {});
    await other.survey.get(REF);
    expect(other.reads.slice(2)).toEqual(['get Pod web-1']);
  });

  it('of no namespace is that of the list of its kind', async () => {
    const node = objectOf('Node', 'worker-1', {});
    const { survey, reads } = surveyOf({ list: () => ({ ok: true, value: [node] }) });
    await survey.list('Node', {});
    expect(await survey.get({ kind: 'Node', name: 'worker-1' })).toEqual({ ok: true, value: node });
    expect(reads).toHaveLength(1);
  });
});

describe('what was not read', () => {
  it('is what was refused, failed or broke off, each once', async () => {
    const unread = async (read: ListRead): Promise<readonly unknown[]> => {
      const { survey } = surveyOf({ list: () => read });
      await survey.list('Pod', { namespace: 'shop' });
      await survey.list('Pod', { namespace: 'shop' });
      await survey.list('Pod', { namespace: 'shop', labelSelector: 'a=b' });
      return survey.unread().map(({ about, unread: { detail } }) => [about.kind, about.namespace, about.name, detail]);
    };
    expect(await unread({ ok: false, why: 'forbidden', detail: 'no' })).toEqual([['Pod', 'shop', '*', 'no']]);
    expect(await unread({ ok: false, why: 'failed', detail: 'no' })).toHaveLength(1);
    expect(await unread({ ok: false, why: 'not-collected', detail: 'no' })).toEqual([]);
    expect(await unread({ ok: true, value: [], partial: 'it was cut', brokeOff: true })).toHaveLength(1);
    expect(await unread({ ok: true, value: [], partial: 'it was cut' })).toEqual([]);
    expect(await unread({ ok: true, value: [] })).toEqual([]);
  });

  it('is what the source itself left out as well', async () => {
    const { survey } = surveyOf({ more: { unread: 'the end of the file' } });
    expect(survey.unread()).toEqual([{ about: { kind: 'Object', name: '*' }, unread: { detail: 'the end of the file' } }]);
    expect(surveyOf().survey.unread()).toEqual([]);
    await survey.logs(REF, 'web', { tailLines: 5 });
    expect(survey.unread().map(({ about }) => about.name)).toEqual(['*', 'web-1']);
    await survey.kubeletAnswer({ ...REF, name: 'till' }, 'web');
    expect(survey.unread()).toHaveLength(2);
  });
});

describe('a source', () => {
  it('costs nothing to read where it is stored, and may have logs there', () => {
    const of = (more: Partial<ClusterReader>): readonly boolean[] => {
      const { survey } = surveyOf({ more });
      return [survey.stored, survey.mayHaveLogs];
    };
    expect(of({})).toEqual([false, false]);
    expect(of({ stored: true })).toEqual([true, true]);
    expect(of({ stored: true, logless: true })).toEqual([true, false]);
    expect(of({ logless: true })).toEqual([false, false]);
  });

  it('may list the pods of one node, unless it says that it has no such list', () => {
    expect(surveyOf().survey.mayHaveNodeLists).toBe(true);
    expect(surveyOf({ more: { stored: true, nodeListless: true } }).survey.mayHaveNodeLists).toBe(false);
  });
});

describe('the events of an object', () => {
  const about = (name: string, kind = 'Pod'): KubeObject => eventOn(objectOf(kind, name, {}), 'Pulled', '', 5);
  const events = [about('web-1'), about('web-9'), about('web-9', 'Service')];
  const list = (): ListRead => ({ ok: true, value: events });

  it('are asked for by its name, for the first three of a namespace', async () => {
    const { survey, reads } = surveyOf({ list });
    for (let index = 1; index <= 3; index++) await survey.eventsAbout({ ...REF, name: `web-${String(index)}` });
    expect(reads).toHaveLength(3);
    const fourth = await survey.eventsAbout({ ...REF, name: 'web-9' });
    expect(fourth).toEqual({ ok: true, value: [events[1]] });
    expect(reads.at(-1)).toBe('list Event {"namespace":"shop"}');
    await survey.eventsAbout({ ...REF, name: 'web-10' });
    await survey.eventsAbout({ ...REF, name: 'web-2' });
    expect(reads).toHaveLength(4);
    await survey.eventsAbout({ ...REF, namespace: 'till' });
    expect(reads).toHaveLength(5);
  });

  it('are asked for by name for all where that costs nothing, and none where they may not be listed', async () => {
    const stored = surveyOf({ list, more: { stored: true } });
    for (let index = 1; index <= 9; index++) await stored.survey.eventsAbout({ ...REF, name: `web-${String(index)}` });
    expect(stored.reads).toHaveLength(9);
    const refused = surveyOf({ list: () => ({ ok: false, why: 'forbidden', detail: 'no' }) });
    for (let index = 1; index <= 7; index++)
      expect(await refused.survey.eventsAbout({ ...REF, name: `web-${String(index)}` })).toMatchObject({ ok: false });
  });
});

describe('a list of one namespace, where all are looked at', () => {
  const services = [objectOf('Service', 'web', {}), objectOf('Service', 'till', {}, { namespace: 'till' })];
  const everywhere = (read: (scope: object) => ListRead, more: Partial<ClusterReader> = {}): ReturnType<typeof surveyOf> => {
    const made = surveyOf({ list: (_, scope) => read(scope), more });
    made.survey.lookEverywhere();
    return made;
  };

  it('is a part of that of all, for what there is little of, or for what was read', async () => {
    const { survey, reads } = everywhere(() => ({ ok: true, value: services }));
    expect(await survey.list('Service', { namespace: 'shop' })).toEqual({ ok: true, value: [services[0]] });
    expect(await survey.get({ kind: 'Service', namespace: 'till', name: 'till' })).toMatchObject({ ok: true });
    await survey.list('Service', {});
    expect(reads).toEqual(['list Service {}']);
    await survey.list('ConfigMap', { namespace: 'shop' });
    expect(reads.at(-1)).toBe('list ConfigMap {"namespace":"shop"}');
    await survey.list('Secret', {});
    await survey.list('Secret', { namespace: 'shop' });
    expect(reads.slice(2)).toEqual(['list Secret {}']);
    for (const narrow of [{ labelSelector: 'a=b' }, { fieldSelector: 'a=b' }])
      await survey.list('Service', { namespace: 'shop', ...narrow });
    expect(reads).toHaveLength(5);
  });

  it('is asked for where that of all was cut, and where reading costs nothing', async () => {
    const { survey, reads } = everywhere((scope) =>
      'namespace' in scope ? { ok: true, value: [] } : { ok: true, value: services, partial: 'it was cut' },
    );
    expect(await survey.list('Service', { namespace: 'shop' })).toEqual({ ok: true, value: [] });
    expect(reads).toEqual(['list Service {}', 'list Service {"namespace":"shop"}']);
    const stored = everywhere(() => ({ ok: true, value: services }), { stored: true });
    await stored.survey.list('Service', { namespace: 'shop' });
    expect(stored.reads).toEqual(['list Service {"namespace":"shop"}']);
  });
});
