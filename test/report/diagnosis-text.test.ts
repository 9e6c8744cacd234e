import { describe, expect, it } from 'vitest';
import { diagnosisText } from '../../src/report/diagnosis/diagnosis-text.ts';
import { displayWidth } from '../../src/report/format/display-width.ts';
import { PLAIN } from '../../src/report/format/text-style.ts';
import { CAUSE, HEALTHY, NOW, STOPPED, stagesUpTo } from '../support/diagnoses.ts';

const TEXT = { wide: false, timeline: false };

describe('a diagnosis as text', () => {
  const text = diagnosisText(STOPPED, PLAIN, TEXT);
  const lines = text.split('\n');

  it('begins with the object, where it is blocked and the cause, then how many pods are ready, and when', () => {
    expect(lines.slice(0, 3).join(' ')).toBe(
      'Deployment shop/web is blocked at volumes: A volume names a ConfigMap that does not exist 0 of 2 pods ready, as of 2026-01-14T09:16:15Z',
    );
  });

  it('shows all stages on one line, each span with its mark and its word', () => {
    expect(lines[3]).toBe('✔ apply … kubelet passed  ✖ volumes blocked  · sandbox … traffic not reached');
  });

  it('says of what partly runs that it does', () => {
    expect(diagnosisText({ ...STOPPED, pods: { ready: 2, desired: 3 } }, PLAIN, TEXT).replaceAll('\n', ' ')).toContain(
      'Deployment shop/web is partly ready (2 of 3), blocked at volumes: ',
    );
    expect(diagnosisText({ ...STOPPED, pods: { ready: 2, desired: 2 }, state: 'healthy' }, PLAIN, TEXT).replaceAll('\n', ' ')).toContain(
      'Deployment shop/web is degraded at volumes: ',
    );
    expect(diagnosisText({ ...STOPPED, pods: { ready: 1, desired: 1 } }, PLAIN, TEXT)).toContain('1 of 1 pod ready, ');
  });

  it('says of what has had no cause yet where it waits, and since when', () => {
    const stages = stagesUpTo('images', 'waiting', 'pulling').map((stage) =>
      stage.id === 'images' ? { ...stage, at: NOW - 5000 } : stage,
    );
    expect(diagnosisText({ ...STOPPED, outcome: 'waiting', causes: [], gaps: [], stages }, PLAIN, TEXT)).toContain(
      'Deployment shop/web is waiting at images since 09:16:10 (5s ago): pulling\n',
    );
    expect(diagnosisText({ ...STOPPED, outcome: 'unexplained', causes: [], gaps: [], stages }, PLAIN, TEXT)).toContain(
      'Deployment shop/web is unhealthy: no rule matches\n',
    );
  });

  it('quotes once what several replicas say, with how many and how often', () => {
    const quoted = (pod: string, count: number) => ({
      about: { kind: 'Pod', namespace: 'shop', name: pod },
      source: `event on Pod/shop/${pod}`,
      quote: `Warning BackOff: restarting web in pod ${pod}_shop(4932460d-78ac-4dfe-8540-5c2d6e0c134c)`,
      at: NOW - count * 1000,
      count,
    });
    const told = diagnosisText({ ...STOPPED, causes: [{ ...CAUSE, evidence: [quoted('web-1', 5), quoted('web-2', 4)] }] }, PLAIN, TEXT);
    expect(told).toContain('Proof    event on 2 Pods, 9 times, last 09:16:11\n');
    expect(told.match(/restarting web/g)).toHaveLength(1);
  });

  it('shortens a long quote in the middle, because a wrapped error names its cause last', () => {
    const quote = `Warning FailedCreatePodSandBox: Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "${'2d8eb104'.repeat(8)}": plugin type="cilium-cni" failed (add): unable to connect to Cilium agent: connect: no such file or directory`;
    const told = diagnosisText(
      { ...STOPPED, causes: [{ ...CAUSE, evidence: [{ about: CAUSE.object, source: 'event', quote }] }] },
      PLAIN,
      TEXT,
    );
    const quoted = told.split('\n').filter((line) => line.includes('│ '));
    expect(quoted).toHaveLength(3);
    expect(quoted[0]).toContain('Warning FailedCreatePodSandBox: Failed to create pod sandbox:');
    expect(quoted[2]).toMatch(/│ … .*connect: no such file or directory$/);
  });

  it('cuts data of a quote that is one long word, and shows it whole when it is wide', () => {
    const quote = `Error when applying patch: {"metadata":"${'x'.repeat(400)}"}`;
    const shown = (wide: boolean): readonly string[] =>
      diagnosisText({ ...STOPPED, causes: [{ ...CAUSE, evidence: [{ about: CAUSE.object, source: 'answer', quote }] }] }, PLAIN, {
        ...TEXT,
        wide,
      }).split('\n');
    expect(shown(false).filter((line) => line.includes('xxx') && displayWidth(line) > PLAIN.width)).toEqual([]);
    expect(shown(true).some((line) => line.includes('x'.repeat(400)))).toBe(true);
  });

  it('says of stages that the target has no need of that they are not applicable', () => {
    const stages = HEALTHY.stages.map((stage) =>
      stage.id === 'endpoints' || stage.id === 'traffic'
        ? { id: stage.id, verdict: 'not-reached' as const, reason: 'no Service selects it' }
        : { id: stage.id, verdict: 'passed' as const },
    );
    expect(diagnosisText({ ...HEALTHY, stages }, PLAIN, TEXT)).toContain('✔ apply … probes passed  · endpoints … traffic not applicable\n');
    const refused = HEALTHY.stages.map(({ id }) => ({
      id,
      verdict: id === 'apply' ? ('blocked' as const) : id === 'persistence' ? ('passed' as const) : ('not-reached' as const),
    }));
    expect(diagnosisText({ ...HEALTHY, stages: refused }, PLAIN, TEXT)).not.toContain('not applicable');
  });

  it('says what is wrong, why, what proves it and what to do, in this order', () => {
    const order = [
      'Volume settings needs ConfigMap',
      'The kubelet mounts volumes',
      'Proof',
      '│ MountVolume.SetUp failed',
      'Fix',
      'kubectl -n shop create configmap',
      'missing-config',
      'images/tag-not-found',
      'Not seen',
      'list events in shop',
    ];
    const places = order.map((words) => text.indexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('quotes evidence with its source and its time', () => {
    expect(text).toContain('event on Pod shop/web-6d4cf56db6-x2x7k, 09:14:11');
  });

  it('keeps to eighty columns, but never breaks a command', () => {
    const command = lines.filter((line) => line.includes('kubectl -n shop create'));
    expect(command).toHaveLength(1);
    expect(command[0]).toContain('| kubectl apply -f -');
    for (const line of lines) if (!command.includes(line)) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  });

  it('is plain ASCII where the terminal is', () => {
    expect(diagnosisText(STOPPED, { ...PLAIN, unicode: false }, TEXT)).toMatch(/^[\n -~]*$/);
  });

  it('has colours only where they are wanted', () => {
    expect(text).not.toContain('\u001B');
    expect(diagnosisText(STOPPED, { ...PLAIN, color: true }, TEXT)).toContain('\u001B[31m');
  });

  it('shows every stage and all evidence when it may be wide', () => {
    const wide = diagnosisText(STOPPED, PLAIN, { ...TEXT, wide: true });
    expect(wide).toContain('  ✔ validating-admission');
    expect(wide).toContain('https://kubernetes.io/docs/concepts/configuration/configmap/');
  });

  it('lets nothing from the cluster move the cursor, hide or go on for ever', () => {
    const quote = `\u001B[2J\u202Eevil\u200B ${'very '.repeat(2000)}`;
    const hostile = {
      ...STOPPED,
      target: { ...STOPPED.target, name: 'we\u001B[31mb' },
      causes: [{ ...CAUSE, what: 'a\u009Bb', evidence: [{ about: CAUSE.object, source: 'event\rx', quote }] }],
    };
    const shown = diagnosisText(hostile, PLAIN, TEXT);
    expect(shown).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E]/);
    expect(shown).toContain(String.raw`\x1b[2J\u{202E}evil`);
    expect(shown.length).toBeLessThan(5000);
  });

  it('says of a healthy pod that it is healthy, and no more', () => {
    expect(diagnosisText(HEALTHY, PLAIN, TEXT)).toBe('Pod shop/web-1 is healthy\nas of 2026-01-14T09:16:15Z\n✔ apply … traffic passed\n');
  });

  it('never says that a stage nobody could look at was passed', () => {
    const blind = diagnosisText(
      { ...HEALTHY, outcome: 'inconclusive', stages: stagesUpTo('volumes', 'unknown', 'events could not be read') },
      PLAIN,
      TEXT,
    );
    expect(blind).toContain('? volumes                unknown: events could not be read');
    expect(blind).toContain('is inconclusive: required evidence is missing');
  });

  it('tells when each stage was passed on the timeline', () => {
    const timeline = diagnosisText(
      {
        ...STOPPED,
        stages: STOPPED.stages.map((stage, index) =>
          stage.verdict === 'passed' ? { ...stage, at: STOPPED.at - 60_000 + index * 1000 } : stage,
        ),
      },
      PLAIN,
      { wide: false, timeline: true },
    );
    expect(timeline).toContain('  ✔ apply                  2026-01-14T09:15:15Z          passed\n');
    expect(timeline).toMatch(/scheduling +2026-01-14T09:15:23Z \+1s/);
    expect(timeline).toContain('  ✖ volumes                blocked: A volume names a ConfigMap that does not ex…\n');
  });
});
