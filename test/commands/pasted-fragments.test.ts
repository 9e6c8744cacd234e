import { expect, it } from 'vitest';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { readTranscript } from '../../src/clusters/transcript/transcript.ts';
import { OPENINGS } from '../support/transcripts.ts';
import { collect } from '../../src/collect/collect.ts';
import { scan } from '../../src/engine/scan.ts';

it('sees the node of a pod in what only its kubelet reports, and no object in a row that was cut off', () => {
  const text =
    '~> k get po\nNAME        READY     STATUS             RESTARTS   AGE\nweb-8tq0n   0/1       CrashLoopBackOff   4          2m\n~> k describe po web-8tq0n\nName:           web-8tq0n\nNamespace:      shop\nNode:           10.9.1.5/10.9.1.5\nLabels:         app=web\nStatus:         Running\nContainers:\n  we';
  const { objects } = readTranscript(text, { openings: OPENINGS, name: 'text', written: Date.UTC(2026, 0, 1) });
  expect(objects.filter(({ kind }) => kind === 'Pod').map(({ metadata }) => metadata.name)).toEqual(['web-8tq0n']);
  const cut = readTranscript('NAME        READY     STATUS    RESTARTS   AGE\nweb-8tq0n   0/1       Running   4          2m\nweb-9', {
    openings: OPENINGS,
    name: 'text',
    written: Date.UTC(2026, 0, 1),
  });
  expect(cut.objects.filter(({ kind }) => kind === 'Pod').map(({ metadata }) => metadata.name)).toEqual(['web-8tq0n']);
});

it('names the registry of the image that a line of the kubelet names, and none of an image that it does not', async () => {
  const line = (image: string): string =>
    `Jan 20 15:22:08 worker-1 kubelet[443]: E0120 15:22:08.462611     443 remote_image.go:113] ${image} from image service failed: rpc error: code = Unknown desc = Error response from daemon: Get https://reg.shop.example/v2/till/manifests/4: denied: access forbidden\n`;
  const whatOf = async (text: string): Promise<string | undefined> =>
    scan(
      await collect(
        readTranscript(text, { openings: OPENINGS, name: 'text', written: Date.UTC(2026, 0, 20, 16) }).reader,
        {},
        await shippedRules(),
      ),
      await shippedRules(),
      {},
    ).causes[0]?.what;
  expect(await whatOf(line('PullImage "reg.shop.example/till:4"'))).toContain(
    'registry reg.shop.example denies access to image reg.shop.example/till:4',
  );
  expect(
    await whatOf(
      'Failed to pull image: Error response from daemon: Get https://reg.shop.example/v2/till/manifests/4: denied: access forbidden\n',
    ),
  ).not.toContain('docker.io');
});

it('takes a word in front of a command for a prompt', () => {
  const { objects } = readTranscript(
    'till$ kubectl get pods -n shop\nNAME    READY   STATUS    RESTARTS   AGE\nweb-1   1/1     Running   0          9d\n',
    { openings: OPENINGS, name: 'text', written: Date.UTC(2026, 0, 1) },
  );
  expect(objects.filter(({ kind }) => kind === 'Pod').map(({ metadata }) => metadata.namespace)).toEqual(['shop']);
});

it('does not say that a pod waits for a node, or is not ready, where nothing shows that', async () => {
  const stagesOf = async (text: string): Promise<readonly unknown[]> =>
    (
      await collect(
        readTranscript(text, { openings: OPENINGS, name: 'text', written: Date.UTC(2026, 0, 1) }).reader,
        {},
        await shippedRules(),
      )
    ).facts.filter(({ kind, fields }) => kind === 'milestone' && fields['state'] === 'waiting');
  expect(await stagesOf('  Warning  Unhealthy  1s (x4 over 91s)  kubelet  Liveness probe failed: ls: cannot access /tmp/up\n')).toEqual([]);
  expect(
    await stagesOf(
      '    "lastState": {\n      "terminated": {\n        "exitCode": 137,\n        "reason": "Error"\n      }\n    },\n    "name": "till",\n    "ready": true,\n    "restartCount": 1\n',
    ),
  ).toEqual([]);
});

it.each([
  ['validating-admission/quota-requires-resources', 'failed quota: team: must specify limits.cpu for: till'],
  ['validating-admission/limit-range-violated', 'maximum memory usage per Container is 1Gi, but limit is 2Gi'],
  ['validating-admission/pod-security-violated', 'violates PodSecurity "restricted:latest": runAsNonRoot != true'],
  ['validating-admission/webhook-denied', 'admission webhook "images.shop.example" denied the request: unsigned'],
  ['mutating-admission/priority-class-not-found', 'no PriorityClass with name gold was found'],
  ['authorization/forbidden', 'User "anna" cannot watch resource "pods" in API group "" in the namespace "shop"'],
  ['apply/context-not-found', 'no context exists with the name: "shop"'],
])('names %s for words that somebody pasted without the answer they are from', async (rule, words) => {
  const { reader } = readTranscript(`${words}\n`, { openings: OPENINGS, name: 'text', written: Date.UTC(2026, 0, 1) });
  expect(scan(await collect(reader, {}, await shippedRules()), await shippedRules(), {}).causes.map((cause) => cause.rule)).toEqual([rule]);
});

it('takes no words for an answer of the API server that any program may write', async () => {
  for (const words of [
    'stat /data/till: no such file or directory',
    'table "till" already exists',
    'dial tcp 10.0.0.9:5432: connect: connection refused',
  ]) {
    const { reader } = readTranscript(`${words}\n`, { openings: OPENINGS, name: 'text', written: Date.UTC(2026, 0, 1) });
    const { facts } = await collect(reader, {}, await shippedRules());
    expect(facts.filter(({ kind }) => kind === 'answer' || kind === 'refusal')).toEqual([]);
  }
});
