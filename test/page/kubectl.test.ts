import { describe, expect, it } from 'vitest';
import { openHost } from '../support/page-host.ts';

describe('kubectl of the page', () => {
  it('prints tables, names, YAML and JSON', async () => {
    const { line } = await openHost('healthy/deployment');
    expect(await line('kubectl get deploy -A')).toMatch(
      /^NAMESPACE +NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nshop +web +2\/2 +2 +2 +\d+\w+$/,
    );
    expect(await line('kubectl get deploy,sa -n shop -o name')).toBe('deployment.apps/web\nserviceaccount/default');
    expect(await line('kubectl -n shop get deploy/web -o yaml')).toContain('\nspec:\n  progressDeadlineSeconds: 600\n  replicas: 2\n');
    const parsed = JSON.parse(await line('kubectl get deploy web -n shop -o json')) as { readonly kind: string };
    expect(parsed.kind).toBe('Deployment');
  });

  it('words what is wrong as kubectl does', async () => {
    const { line } = await openHost('healthy/deployment');
    expect(await line('kubectl get pod nope')).toBe('Error from server (NotFound): pods "nope" not found');
    expect(await line('kubectl get podz')).toContain('the server doesn\'t have a resource type "podz"');
    expect(await line('kubectl get pods --frob')).toBe("error: unknown flag: --frob\nSee 'kubectl get --help' for usage.");
    expect(await line('kubectl frob')).toContain('error: unknown command "frob" for "kubectl"');
    expect(await line('kubectl get pods | grep web')).toBe('error: this console runs one command at a time, without "|"');
    expect(await line('rm -rf /')).toBe('rm: command not found');
    expect(await line("kubectl get 'pods")).toBe("error: the quote ' is not closed");
  });

  it('changes what it is told to, and waits as kubectl does', async () => {
    const { line } = await openHost('healthy/deployment');
    expect(await line('kubectl scale deploy web -n shop --replicas=3')).toBe('deployment.apps/web scaled');
    expect(await line('kubectl rollout status deploy web -n shop')).toContain('deployment "web" successfully rolled out');
    const container = /^ {6}- image: .*\n[^]*?^ {8}name: (\S+)/m.exec(await line('kubectl get deploy web -n shop -o yaml'))?.[1] ?? 'web';
    expect(await line(`kubectl set image deploy/web -n shop ${container}=shop/web:2.0`)).toBe('deployment.apps/web image updated');
    await line('sleep 1s');
    expect(await line('kubectl rollout history deploy/web -n shop')).toContain(
      'REVISION  CHANGE-CAUSE\n1         <none>\n2         <none>',
    );
    expect(await line('kubectl rollout undo deploy/web -n shop')).toBe('deployment.apps/web rolled back');
    expect(await line('kubectl label deploy web -n shop tier=front')).toBe('deployment.apps/web labeled');
    expect(await line('kubectl get deploy -n shop -l tier=front -o name')).toBe('deployment.apps/web');
    expect(await line('kubectl cordon worker-1')).toBe('node/worker-1 cordoned');
    expect(await line('kubectl delete deploy web -n shop')).toBe('deployment.apps "web" deleted from shop namespace');
    expect(await line('kubectl get deploy -n shop')).toBe('No resources found in shop namespace.');
  });

  it('creates what is little more than a name', async () => {
    const { line } = await openHost('healthy/deployment');
    expect(await line("kubectl -n shop create configmap settings --from-literal=a=1 --from-literal='b=x y'")).toBe(
      'configmap/settings created',
    );
    expect(await line('kubectl get cm settings -n shop -o yaml')).toContain('data:\n  a: "1"\n  b: x y\n');
    expect(await line('kubectl create secret generic key --from-literal=a=b')).toBe('secret/key created');
    expect(await line('kubectl -n shop create configmap both --from-literal a=1 --from-literal b=2')).toBe('configmap/both created');
    expect(await line('kubectl -n shop get configmap both -o yaml')).toMatch(/a: ['"]1['"]\n\s+b: ['"]2['"]/);
    expect(await line('kubectl create ns nope')).toContain('configmap, secret, namespace, serviceaccount');
  });

  it('edits an object in the editor', async () => {
    const { ask, line } = await openHost('healthy/deployment');
    const [asked] = await ask({ do: 'line', line: 'kubectl edit deploy/web -n shop' });
    const text = asked?.tell === 'answer' ? (asked.edit?.text ?? '') : '';
    expect(text).toContain('\n  replicas: 2\n');
    expect(await line('kubectl edit deploy/web -n shop', text)).toBe('Edit cancelled, no changes made.');
    expect(await line('kubectl edit deploy/web -n shop', text.replace('\n  replicas: 2\n', '\n  replicas: 1\n'))).toBe(
      'deployment.apps/web edited',
    );
    expect(await line('kubectl edit deploy/web -n shop', text.replace('\n  replicas: 2\n', '\n  replicas: -1\n'))).toContain(
      'must be greater than or equal to 0',
    );
  });

  it('reads logs and events, runs commands, and explains fields', async () => {
    const { line } = await openHost('healthy/deployment');
    const pod = (await line('kubectl get pods -n shop -o name')).split('\n')[0] ?? '';
    expect(await line(`kubectl describe ${pod} -n shop`)).toMatch(/Events:\n {2}Type +Reason +Age +From +Message\n/);
    expect(await line('kubectl events -n shop')).toContain('Scheduled');
    expect(await line(`kubectl exec ${pod} -n shop -- hostname`)).toBe(pod.replace('pod/', ''));
    expect(await line(`kubectl logs ${pod} -n shop --tail=1`)).not.toContain('error');
    const explained = await line('kubectl explain deploy.spec.strategy');
    expect(explained).toContain('KIND:       Deployment');
    expect(explained).toMatch(/rollingUpdate +<RollingUpdateDeployment>/);
    expect(await line('kubectl explain deploy.spec.nope')).toContain('error: field "nope" does not exist');
  });
});
