import { describe, expect, it } from 'vitest';
import { isWrite, readCommand } from '../../../../src/collect/request/answers/kubectl-command.ts';

describe('readCommand', () => {
  it('reads verb, namespace and files in all their forms', () => {
    expect(readCommand('kubectl -n shop apply -f web.yaml -f=db.yaml --filename api.yaml,cron.yaml')).toMatchObject({
      verb: 'apply',
      namespace: 'shop',
      files: ['web.yaml', 'db.yaml', 'api.yaml', 'cron.yaml'],
    });
    expect(readCommand('kubectl get pods -nshop')).toMatchObject({ verb: 'get', words: ['pods'], namespace: 'shop' });
    expect(readCommand('kubectl --namespace=shop create configmap prices --from-file=prices.txt')).toMatchObject({
      verb: 'create',
      words: ['configmap', 'prices'],
      namespace: 'shop',
    });
  });

  it.each([
    ['kubectl -n shop get pods', 'get', ['pods']],
    ['/usr/bin/kubectl get pods', 'get', ['pods']],
    ['k get pods', 'get', ['pods']],
    ['sudo oc get pods | grep web', 'get', ['pods']],
    ['kubectl get pods > out.txt', 'get', ['pods']],
    ['kubectl rollout status deployment web', 'rollout status', ['deployment', 'web']],
    ['kubectl auth can-i get pods', 'auth can-i', ['get', 'pods']],
    ['kubectl create deployment web', 'create', ['deployment', 'web']],
    ['kubectl config', 'config', []],
    ['kubectl exec web -- cat -n /etc/hosts', 'exec', ['web', 'cat', '-n', '/etc/hosts']],
    ['kubectl logs web -c till --tail 5 --since 1h', 'logs', ['web']],
    ['kubectl get pods -l app=web -o wide -A --watch', 'get', ['pods']],
    [`kubectl annotate pod web 'note=a b' "other=c d"`, 'annotate', ['pod', 'web', 'note=a b', 'other=c d']],
    ['helm upgrade web', undefined, []],
  ])('reads %s', (line, verb, words) => {
    expect(readCommand(line)).toMatchObject({ verb, words });
  });

  it.each([
    ['kubectl apply -f web.yaml', false],
    ['kubectl apply -f web.yaml --dry-run=server', true],
    ['kubectl apply -f web.yaml --dry-run', true],
    ['kubectl apply -f web.yaml --dry-run=none', false],
    ['kubectl apply -f web.yaml --dry-run=false', false],
  ])('knows a dry run: %s', (line, dryRun) => {
    expect(readCommand(line).dryRun).toBe(dryRun);
  });

  it('knows who is asked as, and leaves standard input out of the files', () => {
    expect(readCommand('kubectl --as anna --context shop -s https://shop get pods')).toMatchObject({
      context: 'shop',
      identity: '--context=shop --as=anna -s=https://shop',
    });
    expect(readCommand('kubectl --client-certificate a.crt get pods').credential).toBe('client-certificate');
    expect(readCommand('cat web.yaml | kubectl apply -f -').verb).toBeUndefined();
    expect(readCommand('kubectl apply -f - -f web.yaml').files).toEqual(['web.yaml']);
  });

  it('knows by whose credentials a command runs', () => {
    expect(readCommand('kubectl --kubeconfig anna.yaml get pods')).toMatchObject({
      credential: 'kubeconfig',
      identity: '--kubeconfig=anna.yaml',
    });
    expect(readCommand('KUBECONFIG=anna.yaml kubectl get pods')).toMatchObject({
      credential: 'kubeconfig',
      identity: 'KUBECONFIG=anna.yaml',
    });
    expect(readCommand('kubectl --token=abc get pods')).toMatchObject({ credential: 'token' });
    expect(readCommand('kubectl get pods')).toMatchObject({ credential: undefined, identity: '' });
  });

  it('stops at a pipe and keeps quoted words whole', () => {
    expect(readCommand(`kubectl patch deploy web -p '{"spec": {"replicas": 2}}' | head -f x`)).toMatchObject({
      verb: 'patch',
      words: ['deploy', 'web'],
      files: [],
    });
  });

  it('tells what only looks from what writes', () => {
    expect(
      ['apply -f a', 'delete pod web', 'rollout restart deploy/web', 'drain worker-1'].map((line) =>
        isWrite(readCommand(`kubectl ${line}`)),
      ),
    ).toEqual([true, true, true, true]);
    expect(
      ['get pods', 'rollout status deploy/web', 'auth can-i create pods', 'logs web'].map((line) =>
        isWrite(readCommand(`kubectl ${line}`)),
      ),
    ).toEqual([false, false, false, false]);
  });

  it('knows a dry run', () => {
    expect(readCommand('kubectl apply -f web.yaml --dry-run=server').dryRun).toBe(true);
    expect(readCommand('kubectl apply -f web.yaml').dryRun).toBe(false);
  });

  it.each([
    '-n',
    '--namespace',
    '-f',
    '--filename',
    '-k',
    '--kustomize',
    '--kubeconfig',
    '--context',
    '--cluster',
    '--user',
    '--token',
    '--as',
    '--as-group',
    '--as-uid',
    '-s',
    '--server',
    '--client-certificate',
    '--client-key',
    '--certificate-authority',
    '--tls-server-name',
    '--request-timeout',
    '-l',
    '--selector',
    '-o',
    '--output',
    '--field-selector',
    '-c',
    '--container',
    '--sort-by',
    '--tail',
    '--since',
    '-p',
    '--patch',
    '--type',
    '--raw',
    '--replicas',
    '--image',
    '--timeout',
    '--grace-period',
  ])('takes the word behind %s for its value', (flag) => {
    expect(readCommand(`kubectl ${flag} web get pods`)).toMatchObject({ verb: 'get', words: ['pods'] });
    expect(readCommand(`kubectl ${flag}=web get pods`)).toMatchObject({ verb: 'get', words: ['pods'] });
  });

  it.each(['--kubeconfig', '--context', '--cluster', '--user', '--token', '--as', '--client-certificate', '--server', '-s'])(
    'is somebody else with another %s',
    (flag) => {
      const identity = (value: string): string => readCommand(`kubectl ${flag} ${value} get pods`).identity;
      expect(identity('a')).toBe(identity('a'));
      expect(identity('a')).not.toBe(identity('b'));
      expect(readCommand('kubectl -n a get pods').identity).toBe(readCommand('kubectl -n b get pods').identity);
    },
  );

  it.each([
    'apply',
    'create',
    'replace',
    'patch',
    'edit',
    'delete',
    'scale',
    'run',
    'expose',
    'label',
    'annotate',
    'taint',
    'cordon',
    'uncordon',
    'drain',
    'autoscale',
    'set image',
    'evict',
  ])('writes with %s', (verb) => {
    expect(isWrite(readCommand(`kubectl ${verb} web`))).toBe(true);
  });

  it('may be called by other names, and has verbs of two words', () => {
    for (const name of ['kubectl', 'k', 'oc', 'kubectl.exe', '/usr/bin/kubectl', 'sudo kubectl'])
      expect(readCommand(`${name} get pods`).verb, name).toBe('get');
    for (const verb of ['auth can-i', 'rollout undo', 'config view', 'set image', 'cluster-info dump', 'certificate approve'])
      expect(readCommand(`kubectl ${verb} x`)).toMatchObject({ verb, words: ['x'] });
    expect(readCommand('kubectl create deployment web')).toMatchObject({ verb: 'create', words: ['deployment', 'web'] });
  });

  it('finds no command where none is', () => {
    expect(readCommand('systemctl status kubelet').verb).toBeUndefined();
  });
});
