import { expect, test } from 'vitest';
import { dig } from '../../../src/base/json.ts';
import { parseScript } from '../../../src/simulator/shell/parse.ts';
import { matchesPattern } from '../../../src/simulator/shell/expand.ts';
import { container, logsOf, machineRoom, podOn, put, shell } from './machine-room.ts';

function ran(script: string, more: object = {}): { readonly lines: readonly string[]; readonly code: unknown } {
  const cluster = machineRoom();
  put(cluster, podOn('web', shell(script, { ...more }), { restartPolicy: 'Never' }));
  cluster.advance(30_000);
  return { lines: logsOf(cluster, 'web'), code: dig(container(cluster, 'web'), 'state', 'terminated', 'exitCode') };
}

test.each([
  ['echo one; echo two && echo three || echo four', ['one', 'two', 'three'], 0],
  ['false || { echo "not there"; exit 3; }; echo never', ['not there'], 3],
  ['[ "$PORT" -eq "$PORT" ] || { echo "PORT=$PORT is no number"; exit 1; }', ['sh: 54e2x: bad number', 'PORT=54e2x is no number'], 1],
  ['for name in a b; do echo "hello $name"; done', ['hello a', 'hello b'], 0],
  ['if [[ -r /etc/passwd ]]; then echo there; fi; [[ a == b ]] || echo other', ['there', 'other'], 0],
  ['for n in `seq 2 4`; do echo $(expr $n % 2); done; expr 7 / 2; seq 0 5 10', ['0', '1', '0', '3', '0', '5', '10'], 0],
  ['test $(id -u) -eq 0 && id', ['uid=0(root) gid=0(root) groups=0(root)'], 0],
  ['n=0; while [ $n -lt 3 ]; do n=$((n + 1)); done; echo $n', ['3'], 0],
  ['if [ -f /etc/passwd ]; then echo there; else echo missing; fi', ['there'], 0],
  ['case "$PORT" in 54*) echo close;; *) echo far;; esac', ['close'], 0],
  ['echo "${NAME:-nobody} $(echo inner) ${#PORT}"', ['nobody inner 5'], 0],
  ['set -e; false; echo never', [], 1],
  ['cat /no/such/file', ["cat: can't open '/no/such/file': No such file or directory"], 1],
  ['greet() { echo "hi $1"; }; greet shop', ['hi shop'], 0],
  ['tail -n 3 /dev/null && cat /dev/null && echo none', ['none'], 0],
  ['frobnicate', ['sh: frobnicate: not found'], 127],
  ['echo text > /tmp/x; cat /tmp/x | grep tex', ['text'], 0],
  ['! true; echo $?', ['1'], 0],
  ['touch /tmp/healthy; rm /tmp/healthy; [ -f /tmp/healthy ] || echo gone', ['gone'], 0],
  ['rm /no/such/file', ["rm: can't remove '/no/such/file': No such file or directory"], 1],
  ['echo a > /tmp/a; cp /tmp/a /tmp/b; mv /tmp/b /tmp/c; cat /tmp/c', ['a'], 0],
  ['cat < /no/such/file; echo $?', ["sh: can't open /no/such/file: no such file", '1'], 0],
  ['dd if=/dev/zero of=/tmp/x bs=1k count=2; ls -l /tmp/x | wc -l', ['2+0 records in', '2+0 records out', '1'], 0],
  ['exec sh -c "exit 5"', [], 5],
  ['echo "$NONE."; set -u; echo "$NONE"; echo never', ['.', 'sh: NONE: parameter not set'], 2],
  [
    '(: ${NONE:?is wanted}; echo never) | cat; echo on; : ${NONE:?}; echo never',
    ['sh: NONE: is wanted', 'on', 'sh: NONE: parameter not set'],
    2,
  ],
  ['unset PORT; echo "${PORT-gone}"; echo $((4 / 0))', ['gone', 'sh: arithmetic syntax error'], 2],
  ['set -o pipefail; false | true', [], 1],
  [`echo 'a  b c' | awk '{print $2}'; echo 'a b' | awk {'print $NF,$1'}`, ['b', 'b a'], 0],
  [`f=/tmp/n; count=$(echo 'hello' >> $f ; wc -l $f | awk {'print $1'}); [ $count -eq 1 ] && exit 4`, [], 4],
  ['printf "#!/bin/sh\necho ran" > /tmp/x; /tmp/x; chmod u+x /tmp/x; /tmp/x', ['sh: /tmp/x: Permission denied', 'ran'], 0],
])('%s', (script, lines, code) => {
  expect(ran(script, { env: [{ name: 'PORT', value: '54e2x' }] })).toEqual({ lines, code });
});

test('what comes after sh -c is $0 and so on, and $(NAME) in args is the variable or stays', () => {
  const cluster = machineRoom();
  put(
    cluster,
    podOn(
      'web',
      {
        image: 'busybox:1.37',
        command: ['sh', '-c', 'echo "$0 $1"'],
        args: ['$(MODE)', '$(HOST)'],
        env: [{ name: 'MODE', value: 'fast' }],
      },
      { restartPolicy: 'Never' },
    ),
  );
  cluster.advance(5000);
  expect(logsOf(cluster, 'web')).toEqual(['fast $(HOST)']);
});

test('a trap is run when the container is stopped, after the command at hand', () => {
  const cluster = machineRoom();
  put(
    cluster,
    podOn('web', shell('trap "echo bye; exit 4" TERM; while :; do sleep 1; done'), { restartPolicy: 'Never', activeDeadlineSeconds: 5 }),
  );
  cluster.advance(15_000);
  expect(logsOf(cluster, 'web')).toEqual(['bye']);
  expect(dig(container(cluster, 'web'), 'state', 'terminated', 'exitCode')).toBe(4);
});

test('only root gives files away', () => {
  const user = { securityContext: { runAsUser: 1000 } };
  expect(ran('touch /tmp/x; chmod 600 /tmp/x; chown 1001 /tmp/x || echo kept', user)).toEqual({
    lines: ['chown: /tmp/x: Operation not permitted', 'kept'],
    code: 0,
  });
  expect(ran('chown 1001 /etc && echo given')).toEqual({ lines: ['given'], code: 0 });
});

test('nothing is written where the root file system is read-only', () => {
  expect(ran('echo x > /data', { securityContext: { readOnlyRootFilesystem: true } })).toEqual({
    lines: ["sh: can't create /data: Read-only file system"],
    code: 1,
  });
});

test('what looks for the end of a line in a device is killed for want of memory', () => {
  const cluster = machineRoom();
  put(cluster, podOn('web', shell('tail /dev/zero', { resources: { limits: { memory: '64Mi' } } }), { restartPolicy: 'Never' }));
  cluster.advance(10_000);
  expect(dig(container(cluster, 'web'), 'state', 'terminated', 'reason')).toBe('OOMKilled');
});

test.each([
  [
    'dd if=/dev/zero of=/tmp/x bs=1M count=50; sleep 600',
    {},
    'Pod ephemeral local storage usage exceeds the total limit of containers 10Mi. ',
  ],
  [
    'head -c 50M /dev/zero > /cache/x; sleep 600',
    { volumes: [{ name: 'cache', emptyDir: { sizeLimit: '20Mi' } }] },
    'Usage of EmptyDir volume "cache" exceeds the limit "20Mi". ',
  ],
])('%s is more than the pod may write', (script, more, message) => {
  const cluster = machineRoom();
  const mounts =
    'volumes' in more
      ? { volumeMounts: [{ name: 'cache', mountPath: '/cache' }] }
      : { resources: { limits: { 'ephemeral-storage': '10Mi' } } };
  put(cluster, podOn('web', shell(script, mounts), { restartPolicy: 'Never', ...more }));
  cluster.advance(60_000);
  expect(cluster.store.list('pods').map((pod) => [dig(pod, 'status', 'reason'), dig(pod, 'status', 'message')])).toEqual([
    ['Evicted', message],
  ]);
});

test('a web server as process 1 does not listen to SIGTERM', () => {
  const cluster = machineRoom();
  put(
    cluster,
    podOn('web', shell('httpd -f -p 8080'), { restartPolicy: 'Never', activeDeadlineSeconds: 5, terminationGracePeriodSeconds: 10 }),
  );
  cluster.advance(30_000);
  expect(dig(container(cluster, 'web'), 'state', 'terminated', 'exitCode')).toBe(137);
});

test('a loop that only sleeps costs nothing', () => {
  const cluster = machineRoom();
  put(cluster, podOn('web', shell('while true; do sleep 1; done')));
  cluster.advance(5000);
  const before = cluster.steps;
  cluster.advance(3_600_000);
  expect(cluster.steps - before).toBeLessThan(10);
});

test('a variable that doubles for ever ends for want of memory', () => {
  const cluster = machineRoom();
  put(
    cluster,
    podOn(
      'web',
      shell('x=a; while :; do x="$x$x"; [ ${#x} -gt 1000000 ] && sleep 0.5; done', { resources: { limits: { memory: '64Mi' } } }),
      { restartPolicy: 'Never' },
    ),
  );
  cluster.advance(20_000);
  expect(dig(container(cluster, 'web'), 'state', 'terminated')).toMatchObject({ reason: 'OOMKilled', exitCode: 137 });
});

test.each(['cat <<EOF\nx\nEOF', 'echo "open', 'if true; then echo', '[[ a =~ b ]]'])('%j is not understood', (script) => {
  expect(parseScript(script)).toBeUndefined();
});

test.each([
  ['web-1.log', '*.log', true],
  ['web', 'w?b', true],
  ['web', 'w', false],
  ['a(b', '*(*', true],
])('%s fits %s: %s', (text, pattern, expected) => {
  expect(matchesPattern(text, pattern)).toBe(expected);
});

test.each([
  ['a function that calls itself', 'f() { f; }; f; echo on', ['sh: maximum function nesting level exceeded (150)']],
  ['a function that calls itself in a substitution', 'f() { echo $(f); }; f; echo on', undefined],
  ['a function that starts itself twice in the background', 'f() { f & f & }; f; echo on', undefined],
  ['groups in one another', `${'{ '.repeat(2000)}:${'; }'.repeat(2000)}; echo on`, undefined],
  ['a text that doubles', 'x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done', undefined],
  ['output without an end', 'x=$(while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done)', undefined],
  [
    'loops in jobs',
    'for a in 1 2 3 4 5 6 7 8 9; do for b in 1 2 3 4 5 6 7 8 9; do (while :; do x=$((x + 1)); done) & done; done',
    undefined,
  ],
])('%s does not stop the cluster', (_, script, lines) => {
  const { lines: written } = ran(script);
  if (lines !== undefined) expect(written).toEqual(lines);
  expect(written.length).toBeLessThanOrEqual(1000);
});

test.each([
  ['#', 'a/b/c', '*/', 'b/c'],
  ['##', 'a/b/c', '*/', 'c'],
  ['%', 'a/b/c', '/*', 'a/b'],
  ['%%', 'a/b/c', '/*', 'a'],
  ['#', 'abc', '?', 'bc'],
  ['##', 'abc', '*', ''],
  ['%', 'shop.yaml', '.yml', 'shop.yaml'],
])('${x%s…} takes off %s what fits %s', (trim, text, pattern, rest) => {
  expect(ran(`x='${text}'; echo "[\${x${trim}${pattern}}]"`).lines).toEqual([`[${rest}]`]);
});

test('a long text is searched once for the end of a pattern', () => {
  expect(ran(`x=a; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do x=$x$x; done; y=\${x#*y}; echo \${#y}`).lines).toEqual([
    '131072',
  ]);
});

test('nothing of the machine is reachable: no file, variable, clock or address', () => {
  process.env['SHOP_SECRET_OF_THE_HOST'] = 'seen';
  try {
    const { lines } = ran(
      'env; cat /etc/hostname /proc/self/environ /proc/1/environ /proc/version /proc/self/cmdline package.json ../../../package.json /work /root/.kube/config; ls /home /root /tmp /proc; date; hostname; wget -qO- -T 1 http://127.0.0.1; nslookup localhost; id; pwd',
    );
    const text = lines.join('\n');
    for (const foreign of [
      'SHOP_SECRET_OF_THE_HOST',
      'seen',
      'podcheck',
      process.version,
      process.cwd(),
      ...(process.env['PATH'] ?? '').split(':').filter((folder) => folder.includes('node')),
    ])
      expect(text).not.toContain(foreign);
    // The clock is the cluster's own.
    expect(lines).toEqual(
      ran(
        'env; cat /etc/hostname /proc/self/environ /proc/1/environ /proc/version /proc/self/cmdline package.json ../../../package.json /work /root/.kube/config; ls /home /root /tmp /proc; date; hostname; wget -qO- -T 1 http://127.0.0.1; nslookup localhost; id; pwd',
      ).lines,
    );
  } finally {
    delete process.env['SHOP_SECRET_OF_THE_HOST'];
  }
});
