import { describe, expect, it } from 'vitest';
import { whyNotReadOnly } from '../../src/runbook/read-only-command.ts';

describe('a command that runs without a question', () => {
  it.each([
    'kubectl get pods',
    'kubectl get pods -n shop -o wide',
    'kubectl get pods -nshop -oyaml',
    'kubectl get deploy/web configmap/web-settings --namespace=shop --output=json',
    'kubectl get pods -Ao jsonpath={.items[*].metadata.name}',
    'kubectl get pods -l app=web --field-selector status.phase=Running --show-labels --sort-by=.metadata.name',
    'kubectl describe pod web-1',
    'kubectl logs deploy/web -c web --previous --tail=50 --since 10m',
    'kubectl events --for pod/web-1',
    'kubectl top pods -A --containers',
    'kubectl top node',
    'kubectl auth can-i list pods -n shop',
    'kubectl auth can-i --list',
    'kubectl auth whoami',
    'kubectl rollout status deploy/web --timeout=30s --watch=false',
    'kubectl rollout history deploy/web --revision=2',
    'kubectl explain pods.spec',
    'kubectl api-resources --verbs=list -o name',
    'kubectl version --client -o json',
    'kubectl cluster-info',
  ])('%s', (command) => {
    expect(whyNotReadOnly(command.split(' '))).toBeUndefined();
  });
});

describe('a command that a person has to confirm', () => {
  it.each([
    ['is a shell', 'sh -c id'],
    ['is a shell behind env', 'env kubectl get pods'],
    ['is another program', 'curl https://shop.example'],
    ['is a kubectl by its path', './kubectl get pods'],
    ['is a kubectl by its whole path', '/tmp/kubectl get pods'],
    ['is kubectl in other letters', 'Kubectl get pods'],
    ['has no verb', 'kubectl'],
    ['has a flag before its verb', 'kubectl --kubeconfig=evil get pods'],
    ['takes another kubeconfig', 'kubectl get pods --kubeconfig=evil'],
    ['takes another kubeconfig in two words', 'kubectl get pods --kubeconfig evil'],
    ['takes preferences of another', 'kubectl get pods --kuberc=evil'],
    ['goes to another cluster', 'kubectl get pods --context=other'],
    ['goes to another server', 'kubectl get pods --server=https://shop.example'],
    ['goes to another server by a letter', 'kubectl get pods -s https://shop.example'],
    ['gives a token', 'kubectl get pods --token=abc'],
    ['trusts anybody', 'kubectl get pods --insecure-skip-tls-verify'],
    ['takes the rights of another', 'kubectl get pods --as=system:admin'],
    ['writes a profile', 'kubectl get pods --profile=cpu --profile-output=/tmp/x'],
    ['prints what it sends', 'kubectl get pods -v=9'],
    ['asks for any address', 'kubectl get --raw /api/v1/namespaces/shop/services/web/proxy/delete'],
    ['reads a file or address', 'kubectl get -f https://shop.example/x.yaml'],
    ['reads a file as a template', 'kubectl get pods -o go-template-file=/etc/passwd'],
    ['reads a file as a template by another flag', 'kubectl get pods --template=/etc/passwd'],
    ['never ends', 'kubectl get pods -w'],
    ['never ends after another letter', 'kubectl get pods -Aw'],
    ['follows', 'kubectl logs web-1 -f'],
    ['reads a Secret', 'kubectl get secret web -o yaml'],
    ['reads a Secret among others', 'kubectl get pods,Secrets -o json'],
    ['reads a Secret by its path', 'kubectl get pods/web-1 secrets.v1./web'],
    ['describes a Secret, which may hold a token', 'kubectl describe secret web'],
    ['shows a kubeconfig', 'kubectl config view --raw'],
    ['runs in a container', 'kubectl exec web-1 -- id'],
    ['copies', 'kubectl cp web-1:/etc/passwd .'],
    ['debugs', 'kubectl debug web-1'],
    ['opens a proxy', 'kubectl proxy'],
    ['forwards a port', 'kubectl port-forward web-1 80'],
    ['deletes', 'kubectl delete pod web-1'],
    ['restarts', 'kubectl rollout restart deploy/web'],
    ['reconciles rights', 'kubectl auth reconcile -f x.yaml'],
    ['makes a token', 'kubectl create token web'],
    ['starts a program to compare', 'kubectl diff -f x.yaml'],
    ['is a plugin', 'kubectl podcheck scan'],
    ['lists plugins', 'kubectl plugin list'],
    ['writes all of the cluster to files', 'kubectl cluster-info dump --output-directory=/tmp'],
    ['has words after a double dash', 'kubectl get pods -- x'],
    ['has a name that every object inherits', 'kubectl constructor'],
  ])('%s: %s', (_, command) => {
    expect(whyNotReadOnly(command.split(' '))).toMatch(/\w+/);
  });

  it('has a flag where a value from the cluster was put', () => {
    expect(whyNotReadOnly(['kubectl', 'get', 'pod', '--raw=/api/v1/secrets'])).toBe(
      'the flag --raw is not on the list of read-only commands',
    );
    // A flag that wants a value takes the next word, as kubectl reads it.
    expect(whyNotReadOnly(['kubectl', 'get', 'pods', '-n', '--raw=/x', '-o', '-w'])).toBe(
      'kubectl -o -w is not on the list of read-only commands',
    );
  });
});
