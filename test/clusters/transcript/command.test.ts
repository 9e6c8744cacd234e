import { describe, expect, it } from 'vitest';
import { flagOf, hasFlag, namedBy, parseCommand } from '../../../src/clusters/transcript/command.ts';
import { promptOn, promptStyle } from '../../../src/clusters/transcript/prompts.ts';

describe('a line with a prompt', () => {
  it.each([
    ['$ kubectl get pods', 'kubectl get pods'],
    ['  $ kubectl get pods', 'kubectl get pods'],
    ['ops@bastion:~/shop$ k get po', 'k get po'],
    ['[root@master-1 ~]# oc get pods', 'oc get pods'],
    ['(prod) ops@bastion shop % kubectl get pods', 'kubectl get pods'],
    ['➜  shop git:(main) ✗ kubectl get pods', 'kubectl get pods'],
    ['(base) ➜  shop kubectl get pods', 'kubectl get pods'],
    ['✗  kubectl get pods', 'kubectl get pods'],
    ['[7:00:45] ops:~ $ k logs till-0 -n shop', 'k logs till-0 -n shop'],
    ['k logs till-0 -n shop --previous', 'k logs till-0 -n shop --previous'],
    ['❯ kubectl get pods', 'kubectl get pods'],
    ['PS C:\\shop> kubectl get pods', 'kubectl get pods'],
    ['C:\\shop>kubectl get pods', 'kubectl get pods'],
    ['/ # cat /etc/resolv.conf', 'cat /etc/resolv.conf'],
    ['=== kubectl describe pods', 'kubectl describe pods'],
    ['+ kubectl get pods', 'kubectl get pods'],
    ['$ KUBECONFIG=jane.yaml kubectl get pods', 'KUBECONFIG=jane.yaml kubectl get pods'],
  ])('%s has the command %s', (line, command) => {
    expect(promptOn(line, 'dollar')?.command).toBe(command);
  });

  it('may name the host', () => {
    expect(promptOn('[root@worker-1 ~]# systemctl status kubelet', 'dollar')).toEqual({
      command: 'systemctl status kubelet',
      host: 'worker-1',
    });
  });

  it.each([
    '$ 12.50 per order',
    '$',
    'Price: $ cat',
    '- kubectl get pods',
    '✗ kubectl 1.21.2 <1.24.0',
    'web-1   1/1   Running',
    'msg="$ kubectl get pods"',
  ])('is not %j', (line) => {
    expect(promptOn(line, 'dollar')).toBeUndefined();
  });

  it('may be marked by # or > or nothing, where a text has no better marks', () => {
    const lines = ['# kubectl get pods', '> kubectl get pods', 'kubectl -n shop get pods'];
    expect(promptStyle(lines)).toBe('sharp');
    expect(lines.map((line) => promptOn(line, 'sharp')?.command)).toEqual([
      'kubectl get pods',
      'kubectl get pods',
      'kubectl -n shop get pods',
    ]);
  });

  it('is not a comment of a manifest that was shown after a real prompt', () => {
    expect(promptStyle(['$ cat web.yaml', '# kubectl apply -f web.yaml'])).toBe('dollar');
    expect(promptOn('# kubectl apply -f web.yaml', 'dollar')).toBeUndefined();
  });
});

describe('a command', () => {
  it.each([
    ['kubectl get pods -n shop', 'shop'],
    ['kubectl -nshop get pods', 'shop'],
    ['kubectl --namespace=shop get pods', 'shop'],
    ['kubectl get pods --namespace shop', 'shop'],
    ['kubectl get -n=shop pods', 'shop'],
  ])('%s is about the namespace %s', (text, namespace) => {
    const command = parseCommand(text);
    expect([command.tool, command.verb, command.args]).toEqual(['kubectl', 'get', ['pods']]);
    expect(flagOf(command, 'n', 'namespace')).toBe(namespace);
  });

  it('keeps quotes and what stands in them together', () => {
    expect(flagOf(parseCommand(`kubectl get events --sort-by='.metadata.creationTimestamp' -l "app in (web, api)"`), 'l')).toBe(
      'app in (web, api)',
    );
  });

  it('tells -f of logs, which follows, from -f of apply, which names a file', () => {
    expect(parseCommand('kubectl logs -f web-1 app').args).toEqual(['web-1', 'app']);
    expect(flagOf(parseCommand('kubectl apply -f web.yaml'), 'f')).toBe('web.yaml');
  });

  it('knows flags written together', () => {
    expect(hasFlag(parseCommand('kubectl get pods -Aw'), 'A')).toBe(true);
  });

  it.each([
    ['kubectl get pods | grep web', true, false],
    ['kubectl get events | tail -n 20', true, false],
    ['kubectl get pods | less', false, false],
    ['kubectl get pods --no-headers | sort', false, false],
    ["kubectl get pods -o json | jq '.items[0]'", false, true],
    ['kubectl get pods | wc -l', false, true],
    ['kubectl get pods 2>&1', false, false],
  ])('%s: took lines away %s, was reshaped %s', (text, filtered, reshaped) => {
    expect(parseCommand(text)).toMatchObject({ tool: 'kubectl', verb: 'get', filtered, reshaped });
  });

  it('may run elsewhere', () => {
    expect(parseCommand('ssh worker-2 systemctl status kubelet')).toMatchObject({
      tool: 'systemctl',
      node: 'worker-2',
      verb: 'status',
      args: ['kubelet'],
    });
    expect(parseCommand('ssh -i key.pem ops@worker-2 "sudo systemctl status kubelet"')).toMatchObject({
      tool: 'systemctl',
      node: 'worker-2',
      args: ['kubelet'],
    });
    expect(parseCommand('sudo KUBECONFIG=/etc/admin.conf kubectl get nodes')).toMatchObject({
      tool: 'kubectl',
      verb: 'get',
      args: ['nodes'],
    });
  });

  it('may be fed by a here-document', () => {
    expect(parseCommand('cat <<EOF | kubectl apply -n shop -f -')).toMatchObject({ tool: 'kubectl', verb: 'apply', heredoc: 'EOF' });
    expect(parseCommand("cat > web.yaml <<'EOF'")).toMatchObject({ tool: 'cat', heredoc: 'EOF', writes: 'web.yaml' });
  });

  it.each([
    [['pods'], ['Pod'], []],
    [['deploy,rs'], ['Deployment', 'ReplicaSet'], []],
    [
      ['pod/web-1', 'svc/web'],
      ['Pod', 'Service'],
      [
        { kind: 'Pod', name: 'web-1' },
        { kind: 'Service', name: 'web' },
      ],
    ],
    [
      ['pods', 'web-1', 'web-2'],
      ['Pod'],
      [
        { kind: 'Pod', name: 'web-1' },
        { kind: 'Pod', name: 'web-2' },
      ],
    ],
    [['deployments.apps', 'web'], ['Deployment'], [{ kind: 'Deployment', name: 'web' }]],
    [['widgets'], [], []],
  ])('about %j names kinds %j', (args, kinds, objects) => {
    expect(namedBy(args)).toEqual({ kinds, objects });
  });
});
