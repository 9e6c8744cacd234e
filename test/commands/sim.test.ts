import { expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

const TIMEOUT = 60_000;

it('lists scenarios and shows one with its cure', async () => {
  expect((await podcheck(['sim', 'list', '-o', 'json'])).out).toContain('"volumes/configmap-not-found"');
  const { out } = await podcheck(['sim', 'show', 'volumes/configmap-not-found']);
  expect(out).toContain('Expected  explained volumes/configmap-not-found');
  expect(out).toContain('Cure\n  apply ConfigMap/web-settings');
}, TIMEOUT);

it('plays a scenario and names its cause', async () => {
  const { code, out } = await podcheck(['sim', 'run', 'scheduling/insufficient-resource', '--seed', '5', '-o', 'json']);
  const report = JSON.parse(out) as { seed: number; digest: string; diagnosis: { causes: { rule: string }[] } };
  expect([code, report.seed, report.diagnosis.causes[0]?.rule]).toEqual([1, 5, 'scheduling/insufficient-resource']);
}, TIMEOUT);

it('diagnoses and scans the cluster of a scenario', async () => {
  expect((await podcheck(['diagnose', 'web', '--scenario', 'healthy/deployment'])).code).toBe(0);
  expect((await podcheck(['scan', '--scenario', 'images/image-not-found', '--at', '20s'])).out).toContain('image');
}, TIMEOUT);

it('looks at a scenario at a moment, in a namespace, in another format', async () => {
  const early = JSON.parse((await podcheck(['diagnose', 'web', '--scenario', 'volumes/configmap-not-found', '--at', '1s', '-n', 'shop', '-o', 'json'])).out) as { at: string; outcome: string };
  expect(early).toMatchObject({ at: '2026-11-20T09:00:06Z', outcome: 'explained' });
  const elsewhere = await podcheck(['diagnose', 'web', '--scenario', 'volumes/configmap-not-found', '-n', 'warehouse']);
  expect([elsewhere.code, elsewhere.err]).toEqual([2, expect.stringContaining('there is no namespace "warehouse"')]);
}, TIMEOUT);

it('says what would come of a manifest', async () => {
  const folder = folderWith({ 'till.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: till, namespace: shop }\nspec:\n  nodeSelector: { disk: fast }\n  containers: [{ name: till, image: shop/till:1 }]\n' });
  const { code, out } = await podcheck(['sim', 'try', '-f', `${folder}/till.yaml`]);
  expect(code).toBe(1);
  expect(out).toContain('scheduling/node-selector-mismatch');
}, TIMEOUT);

it('names a scenario that is near to one there is not', async () => {
  const { code, err } = await podcheck(['sim', 'show', 'volumes/configmap-not-fond']);
  expect(code).toBe(2);
  expect(err).toContain('did you mean volumes/configmap-not-found');
}, TIMEOUT);
