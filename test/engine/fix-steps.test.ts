import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { fixSteps } from '../../src/engine/fix-steps.ts';
import { variablesOf } from '../../src/model/placeholders.ts';
import type { Rule } from '../../src/model/rule.ts';

const NAMESPACE = '{{ namespace }}';

function runOf(workload: string, run: string): string | undefined {
  const rule: Pick<Rule, 'fix'> = { fix: [{ say: 'Correct the port.', run }] };
  return fixSteps(rule as Rule, { namespace: 'shop', workload })[0]?.run;
}

describe('a fix', () => {
  it.each(['Deployment/web', 'StatefulSet/db', 'CronJob/report'])('changes %s in place', (workload) => {
    expect(runOf(workload, `kubectl -n ${NAMESPACE} edit {{ workload }}`)).toBe(`kubectl -n shop edit ${workload}`);
  });

  it('patches the pod template of a CronJob where it has one', () => {
    const merge = `kubectl patch {{ workload }} -p '{"spec":{"template":{"spec":{"nodeName":null}}}}'`;
    expect(runOf('Deployment/web', merge)).toBe(`kubectl patch Deployment/web -p '{"spec":{"template":{"spec":{"nodeName":null}}}}'`);
    expect(runOf('CronJob/report', merge)).toBe(
      `kubectl patch CronJob/report -p '{"spec":{"jobTemplate":{"spec":{"template":{"spec":{"nodeName":null}}}}}}'`,
    );
    expect(
      runOf('CronJob/report', `kubectl patch {{ workload }} --type=json -p '[{"op":"remove","path":"/spec/template/spec/nodeName"}]'`),
    ).toContain('"path":"/spec/jobTemplate/spec/template/spec/nodeName"');
  });

  it('warns where it changes a workload that something else writes again', () => {
    const rule: Pick<Rule, 'fix'> = {
      fix: [
        { say: 'Look at the pod.', run: `kubectl -n ${NAMESPACE} get {{ workload }}` },
        { say: 'Correct the port.', run: `kubectl -n ${NAMESPACE} edit {{ workload }}` },
        { say: 'Wait.', run: `kubectl -n ${NAMESPACE} rollout status {{ workload }}` },
      ],
    };
    const says = (more: object): readonly string[] =>
      fixSteps(rule as Rule, { namespace: 'shop', workload: 'Deployment/web', ...more }).map(({ say }) => say);
    expect(says({ belongsTo: 'Application/till' })).toEqual([
      'Look at the pod.',
      'Correct the port. Deployment/web belongs to Application/till, which may undo this: make the change there, too.',
      'Wait.',
    ]);
    expect(says({})).toEqual(['Look at the pod.', 'Correct the port.', 'Wait.']);
  });

  it('lets a pod of its own be edited in a copy that replaces it', () => {
    expect(runOf('Pod/web', `kubectl -n ${NAMESPACE} edit {{ workload }}`)).toBe(
      'kubectl -n shop get Pod/web -o yaml > pod.yaml && "${EDITOR:-vi}" pod.yaml && kubectl replace --force -f pod.yaml',
    );
  });

  it.each([
    ['set resources {{ workload }} -c web --limits=memory=128Mi', 'set resources Pod/web -c web --limits=memory=128Mi'],
    [`patch {{ workload }} -p '{"spec":{"template":{"spec":{"nodeName":null}}}}'`, `patch Pod/web -p '{"spec":{"nodeName":null}}'`],
    [
      `patch {{ workload }} --type=json -p '[{"op":"remove","path":"/spec/template/spec/nodeName"}]'`,
      `patch Pod/web --type=json -p '[{"op":"remove","path":"/spec/nodeName"}]'`,
    ],
  ])('replaces a pod of its own by what `%s` makes of it, which the API server would refuse', (change, changed) => {
    expect(runOf('Pod/web', `kubectl -n ${NAMESPACE} ${change}`)).toBe(
      `kubectl -n shop ${changed} --dry-run=client -o yaml | kubectl replace --force -f -`,
    );
  });

  it('changes the Deployment whose name a ReplicaSet carries, and restarts no other ReplicaSet', () => {
    expect(runOf('ReplicaSet/web-684f9fc6f9', `kubectl -n ${NAMESPACE} rollout restart {{ workload }}`)).toBe(
      'kubectl -n shop rollout restart Deployment/web',
    );
    expect(runOf('ReplicaSet/web-684f9fc6f9', `kubectl -n ${NAMESPACE} edit {{ workload }}`)).toBe('kubectl -n shop edit Deployment/web');
    expect(runOf('ReplicaSet/web', `kubectl -n ${NAMESPACE} rollout restart {{ workload }}`)).toBeUndefined();
    expect(runOf('ReplicaSet/web-blue', `kubectl -n ${NAMESPACE} edit {{ workload }}`)).toBe('kubectl -n shop edit ReplicaSet/web-blue');
  });

  it('replaces a Job without what belongs to the old one', () => {
    expect(runOf('Job/report', `kubectl -n ${NAMESPACE} edit {{ workload }}`)).toMatch(
      /^kubectl -n shop get Job\/report -o yaml \| kubectl patch -f - --local .*"selector":null.* > job\.yaml && .* kubectl replace --force -f job\.yaml$/,
    );
    expect(runOf('Job/report', `kubectl -n ${NAMESPACE} patch {{ workload }} -p '{"spec":{"activeDeadlineSeconds":60}}'`)).toMatch(
      /^kubectl -n shop patch Job\/report -p '.*' --dry-run=client -o yaml \| kubectl patch -f - --local .*"selector":null.* \| kubectl replace --force -f -$/,
    );
  });

  it('makes a pod anew to restart it, and has no rollout of one to take back', () => {
    expect(runOf('Pod/web', `kubectl -n ${NAMESPACE} rollout restart {{ workload }}`)).toBe(
      'kubectl -n shop get Pod/web -o yaml | kubectl replace --force -f -',
    );
    expect(runOf('Job/report', `kubectl -n ${NAMESPACE} rollout undo {{ workload }}`)).toBeUndefined();
  });

  it('sets the image of a pod in place, which is allowed', () => {
    expect(runOf('Pod/web', `kubectl -n ${NAMESPACE} set image {{ workload }} web=<image>`)).toBe(
      'kubectl -n shop set image Pod/web web=<image>',
    );
    expect(runOf('Job/report', `kubectl -n ${NAMESPACE} set image {{ workload }} web=<image>`)).toMatch(/replace --force/);
  });

  it('says only once that a pod has to be replaced, with the command', () => {
    const rule: Pick<Rule, 'fix'> = {
      fix: [
        { say: 'Remove the setting.', run: `kubectl -n ${NAMESPACE} edit {{ workload }}` },
        { say: 'Or set a user.', run: `kubectl -n ${NAMESPACE} edit {{ workload }}` },
      ],
    };
    const steps = fixSteps(rule as Rule, { namespace: 'shop', workload: 'Pod/web' });
    expect(steps.map(({ say }) => say)).toEqual([
      'Remove the setting. A Pod cannot be changed in place: edit a copy and replace it.',
      'Or set a user.',
    ]);
    expect(steps[1]?.run).toBeUndefined();
  });

  it('gives no command to restart a CronJob, which has no rollout', () => {
    expect(runOf('CronJob/report', `kubectl -n ${NAMESPACE} rollout restart {{ workload }}`)).toBeUndefined();
  });

  it('leaves out a step whose value is not known, and begins with what is left', () => {
    const rule: Pick<Rule, 'fix'> = {
      fix: [
        { say: 'Use {{ similar }}.', run: 'kubectl set env {{ workload }} A={{ similar }}', needs: ['similar'] },
        { say: 'Or create it.' },
        { say: 'Otherwise ask.' },
      ],
    };
    expect(fixSteps(rule as Rule, { workload: 'Deployment/web' }).map(({ say }) => say)).toEqual(['Create it.', 'Otherwise ask.']);
    expect(fixSteps(rule as Rule, { workload: 'Deployment/web', similar: 'dark' })).toEqual([
      { say: 'Use dark.', run: 'kubectl set env Deployment/web A=dark' },
      { say: 'Or create it.' },
      { say: 'Otherwise ask.' },
    ]);
  });

  it('begins with a rollback where a developer must correct what an earlier revision has right', () => {
    const rule: Pick<Rule, 'fix'> = { fix: [{ say: 'Correct the program.', by: 'developer' }] };
    const known = { namespace: 'shop', workload: 'Deployment/web', earlierRevision: 3 };
    expect(fixSteps(rule as Rule, known)[0]?.run).toBe('kubectl -n shop rollout undo Deployment/web --to-revision=3');
    expect(fixSteps({ fix: [{ say: 'Restart the node.', by: 'node-admin' }] } as unknown as Rule, known)).toHaveLength(1);
    expect(fixSteps(rule as Rule, { namespace: 'shop', workload: 'Deployment/web' })).toHaveLength(1);
  });

  it('lets an update end an old pod first where only that one is in its way, and does not go back', () => {
    const rule: Pick<Rule, 'fix'> = { fix: [{ say: 'Or remove the port.', by: 'developer' }] };
    const known = { namespace: 'shop', workload: 'Deployment/web', earlierRevision: 3, older: true };
    expect(fixSteps(rule as Rule, known)).toEqual([
      {
        say: 'Let the update end an old pod before it starts a new one.',
        run: `kubectl -n shop patch Deployment/web -p '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":1}}}}'`,
      },
      { say: 'Or remove the port.', by: 'developer' },
    ]);
  });

  it('deletes the pod for which a StatefulSet waits, once its template is corrected', () => {
    const steps = [
      { say: 'Correct the image.', run: 'kubectl set image {{ workload }} db=<image>' },
      { say: 'Or the port.', run: `kubectl patch {{ workload }} -p '{"spec":{"template":{"spec":{"hostNetwork":false}}}}'` },
      { say: 'Or scale it down.', run: 'kubectl scale {{ workload }} --replicas=0' },
      { say: 'See what is set.', run: 'kubectl set env --list {{ workload }}' },
    ];
    const fixed = (heldPod: string | undefined, workload = 'StatefulSet/db'): ReturnType<typeof fixSteps> =>
      fixSteps({ fix: steps } as unknown as Rule, {
        namespace: 'shop',
        pod: 'db-0',
        workload,
        ...(heldPod === undefined ? {} : { heldPod }),
      });
    expect(fixed('on-delete', 'DaemonSet/agent')[0]).toEqual({
      say: 'Correct the image. With updateStrategy OnDelete each pod keeps its template until it is deleted: this deletes one.',
      run: 'kubectl set image DaemonSet/agent db=<image> && kubectl -n shop delete pod db-0',
    });
    expect(fixed('current')).toEqual([
      {
        say: 'Correct the image. A StatefulSet does not replace a pod that is not ready: this deletes it.',
        run: 'kubectl set image StatefulSet/db db=<image> && kubectl -n shop delete pod db-0',
      },
      {
        say: 'Or the port.',
        run: `kubectl patch StatefulSet/db -p '{"spec":{"template":{"spec":{"hostNetwork":false}}}}' && kubectl -n shop delete pod db-0`,
      },
      { say: 'Or scale it down.', run: 'kubectl scale StatefulSet/db --replicas=0' },
      { say: 'See what is set.', run: 'kubectl set env --list StatefulSet/db' },
    ]);
    expect(fixed('outdated')[0]).toMatchObject({ run: 'kubectl -n shop delete pod db-0' });
    expect(fixed('outdated')).toHaveLength(5);
    expect(fixed('partition').slice(0, 2)).toEqual([
      {
        say: 'Lower the partition of the updates to 0: below it, pods keep the earlier template.',
        run: `kubectl -n shop patch StatefulSet/db -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}'`,
      },
      fixed('current')[0],
    ]);
    expect(fixed(undefined)[0]?.run).toBe('kubectl set image StatefulSet/db db=<image>');
    expect(fixed('current', 'Deployment/db')[0]?.run).toBe('kubectl set image Deployment/db db=<image>');
  });

  it('patches the list in which the container stands', () => {
    const run = `kubectl patch {{ workload }} -p '{"spec":{"template":{"spec":{"volumes":[], "containers":[{"name":"{{ container }}","tty":true}]}}}}'`;
    const patched = (workload: string, params: object): string | undefined =>
      fixSteps({ fix: [{ say: 'Correct it.', run }] } as unknown as Rule, { workload, container: 'proxy', ...params })[0]?.run;
    expect(patched('Deployment/web', {})).toContain('"containers":[{"name":"proxy","tty":true}]');
    expect(patched('Deployment/web', { initContainer: true })).toBe(
      `kubectl patch Deployment/web -p '{"spec":{"template":{"spec":{"volumes":[], "initContainers":[{"name":"proxy","tty":true}]}}}}'`,
    );
    expect(patched('CronJob/web', { initContainer: true })).toContain('"template":{"spec":{"volumes":[], "initContainers":[');
    const shown = `kubectl get pod web-1 -o jsonpath='{.spec.containers[*].command}'`;
    expect(
      fixSteps({ fix: [{ say: 'Check it.', run: shown }] } as unknown as Rule, { container: 'proxy', initContainer: true })[0]?.run,
    ).toContain('{.spec.initContainers[*].command}');
  });

  it('has no step about revisions where there are none', () => {
    const rule: Pick<Rule, 'fix'> = {
      fix: [{ say: 'Read the log.' }, { say: 'Roll back. This lists the revisions.', run: 'kubectl rollout history {{ workload }}' }],
    };
    for (const workload of ['Pod/web', 'Job/web', 'CronJob/web', 'ReplicaSet/web'])
      expect(fixSteps(rule as Rule, { workload })).toEqual([{ say: 'Read the log.' }]);
    expect(fixSteps(rule as Rule, { workload: 'Deployment/web' })).toHaveLength(2);
  });

  it('tells who must do what no command can', () => {
    const rule: Pick<Rule, 'fix'> = { fix: [{ say: 'Correct the program.', by: 'developer' }] };
    expect(fixSteps(rule as Rule, { namespace: 'shop', workload: 'Pod/web' })).toEqual([{ say: 'Correct the program.', by: 'developer' }]);
  });

  it('leaves out what is all about something nobody knows', () => {
    const rule: Pick<Rule, 'fix'> = {
      fix: [{ say: '[[Remove {{ replicaSet }}.]]', run: 'kubectl delete replicaset {{ replicaSet }}' }, { say: 'Apply it again.' }],
    };
    expect(fixSteps(rule as Rule, { namespace: 'shop', workload: 'Deployment/web' })).toEqual([{ say: 'Apply it again.' }]);
    expect(fixSteps(rule as Rule, { namespace: 'shop', workload: 'Deployment/web', replicaSet: 'web-7f65d696c6' })).toHaveLength(2);
    expect(runOf('Deployment/web', `[[kubectl -n ${NAMESPACE} set image {{ workload }} {{ container }}=<image>]]`)).toBeUndefined();
  });
});

describe('the commands of all rules', () => {
  const hostile = [
    "web'; reboot; '",
    '$(reboot)',
    '`reboot`',
    '--reboot',
    'web reboot',
    'web"reboot',
    'web\\nreboot',
    'web&reboot',
    'web|reboot',
    'web>reboot',
  ];

  it.each(hostile)('have no value %j in them', async (value) => {
    const rules = await shippedRules();
    const commands = rules.flatMap((rule) => {
      const names = rule.fix.flatMap(({ say, run = '', needs = [] }) => [...variablesOf(say), ...variablesOf(run), ...needs]);
      const params = Object.fromEntries(names.map((name) => [name, value]));
      return ['Deployment/web', 'Pod/web', 'Job/web', 'CronJob/web'].flatMap((workload) =>
        fixSteps(rule, { ...params, earlierRevision: value, workload }).flatMap(({ run }) => run ?? []),
      );
    });
    expect(commands.length).toBeGreaterThan(1000);
    expect(commands.filter((command) => command.includes('reboot'))).toEqual([]);
  });
});
