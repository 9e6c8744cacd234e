import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { readTranscript } from '../../src/clusters/transcript/transcript.ts';
import { diagnosed } from '../../src/commands/diagnose/diagnose.ts';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';
import { OPENINGS } from '../support/transcripts.ts';

const NOW = Date.UTC(2026, 2, 4, 12);
const REFUSED =
  'failed to create task run pod "bake-x7": pods "bake-x7-pod" is forbidden: error looking up service account shop/baker: serviceaccount "baker" not found';

async function told(text: string): Promise<unknown> {
  const { reader } = readTranscript(text, { openings: OPENINGS, name: 'pasted', written: NOW });
  const { target, causes } = await diagnosed({ reader, place: 'pasted', close: () => undefined }, await shippedRules(), {});
  return [`${target.kind} ${target.namespace ?? ''}/${target.name}`, causes[0]?.rule];
}

const described = (kind: string, status: string, events = ''): string =>
  `$ kubectl describe ${kind.toLowerCase()} bake-x7 -n shop\nName:         bake-x7\nNamespace:    shop\nAPI Version:  till.example/v1\nKind:         ${kind}\n${status}${events}`;
const condition = (message: string, status: string, type: string): string =>
  `Status:\n  Conditions:\n    Last Transition Time:  2026-03-04T11:00:00Z\n    Message:               ${message}\n    Reason:                Whatever\n    Status:                ${status}\n    Type:                  ${type}\n`;
const object = (status: string): string =>
  `apiVersion: till.example/v1\nkind: Bake\nmetadata:\n  name: bake-x7\n  namespace: shop\n  creationTimestamp: "2026-03-04T10:00:00Z"\n  uid: 11111111-2222-3333-4444-555555555555\nstatus:\n${status}`;

describe('an object of a kind without a reader', () => {
  it.each([
    ['a condition that describe prints', described('TaskRun', condition(REFUSED, 'False', 'Succeeded'))],
    ['a condition that is bad news', described('TaskRun', condition(REFUSED, 'True', 'CreateFailed'))],
    [
      'its event',
      described(
        'TaskRun',
        'Status:\n  Pod Name:\n',
        `Events:\n  Type     Reason  Age  From     Message\n  ----     ------  ---  ----     -------\n  Warning  Failed  8s   TaskRun  ${REFUSED}\n`,
      ),
    ],
    [
      'a status of another form, as YAML',
      object(
        `  phase: Failed\n  steps:\n    - name: one\n      phase: Succeeded\n    - name: two\n      message: '${REFUSED}'\n      phase: Error\n`,
      ),
    ],
    [
      'the same as JSON',
      `$ kubectl get bake bake-x7 -n shop -o json\n${JSON.stringify({ apiVersion: 'till.example/v1', kind: 'Bake', metadata: { name: 'bake-x7', namespace: 'shop' }, status: { message: REFUSED } })}\n`,
    ],
  ])('passes on what another said: %s', async (_, text) => {
    expect(await told(text)).toEqual(['Pod shop/bake-x7-pod', 'mutating-admission/service-account-not-found']);
  });

  it.each(['bake.txt', 'bake.yaml'])('is read alone in %s', async (name) => {
    const folder = folderWith({ [name]: object(`  message: '${REFUSED}'\n`) });
    const { out } = await podcheck(['diagnose', '--from', `${folder}/${name}`]);
    expect(out.replaceAll(/\s+/g, ' ')).toContain('ServiceAccount baker, which does not exist in namespace shop');
  });

  it('may be the end of what a command printed', async () => {
    const text = `$ kubectl get bake -o yaml bake-x7\n...\nstatus:\n  message: '${REFUSED}'\n`;
    expect(await told(text)).toEqual(['ServiceAccount shop/baker', 'mutating-admission/service-account-not-found']);
    const none = `$ kubectl get bake -o yaml\napiVersion: v1\nitems: []\nkind: List\n$ kubectl get pods -n shop\nNAME     READY   STATUS             RESTARTS   AGE\ntill-0   0/1     ImagePullBackOff   0          9m\n`;
    expect(await told(none)).toEqual(['Pod shop/till-0', undefined]);
  });

  it('may be the status alone, with a message of several lines', async () => {
    const text = `status:\n  conditions:\n  - lastTransitionTime: "2026-03-04T10:00:00Z"\n    message: >\n      cannot fetch the package: GET\n      https://registry.shop.example/v2/shop/oven/manifests/v1:\n      unexpected status code 401 Unauthorized\n    status: "False"\n    type: Healthy\n`;
    expect(await told(text)).toEqual(['Pod default/<pod>', 'images/pull-access-denied']);
    expect(await told(text.replace('Unauthorized', 'Unauthorised').replace('401', '200'))).toEqual([
      'Pod default/<pod>',
      'images/image-pull-failing',
    ]);
  });

  it.each([
    ['a condition that holds', condition(REFUSED, 'True', 'Ready')],
    ['a condition of bad news that does not hold', condition(REFUSED, 'False', 'Degraded')],
    ['a part that has succeeded', `Status:\n  Steps:\n    Message:  ${REFUSED}\n    Phase:    Succeeded\n`],
  ])('tells of nothing where all is well: %s', async (_, status) => {
    const pod =
      '$ kubectl get pods -n shop\nNAME     READY   STATUS             RESTARTS   AGE\ntill-0   0/1     ImagePullBackOff   0          9m\n';
    expect(await told(`${described('TaskRun', status)}${pod}`)).toEqual(['Pod shop/till-0', undefined]);
  });
});
