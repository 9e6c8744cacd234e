import { describe, expect, it } from 'vitest';
import { KUBECTL, NOT_RUN } from '../../conformance/kubectl.ts';
import { podcheck } from '../../support/command-line.ts';
import { folderWith } from '../../support/folder.ts';
import { HOSTILE } from '../../support/hostile.ts';
import { qualityProblems, sarifProblems } from '../../support/sarif-schema.ts';
import { parseXml } from '../../support/xml.ts';

const TIMEOUT = 60_000;
const PATH = { PATH: process.env['PATH'] ?? '' };

function pod(name: string, more: object = {}): string {
  const spec = { containers: [{ name: 'till', image: 'shop/till:1', envFrom: [{ configMapRef: { name: 'prices' } }], ...more }] };
  return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop' }, spec });
}

describe('podcheck preflight reads', () => {
  it(
    'files, folders and folders below, and stdin',
    async () => {
      const folder = folderWith({ 'till.json': pod('till'), 'below/kiosk.json': pod('kiosk') });
      const names = async (...args: readonly string[]): Promise<readonly string[]> => {
        const { out } = await podcheck(['preflight', ...args, '-o', 'json']);
        return (JSON.parse(out) as { workloads: readonly { object: { name: string } }[] }).workloads.map(({ object }) => object.name);
      };
      expect(await names('-f', `${folder}/till.json`, `${folder}/below/kiosk.json`)).toEqual(['till', 'kiosk']);
      expect(await names('-f', folder)).toEqual(['till']);
      expect(await names('-f', folder, '-R')).toEqual(['kiosk', 'till']);
      const { out } = await podcheck(['preflight', '-f', '-', '-o', 'github'], { stdin: pod('till') });
      expect(out).toMatch(/^::error file=stdin,line=1,col=\d+,title=Pod shop\/till%3A CreateContainerConfigError/);
    },
    TIMEOUT,
  );
});

describe.skipIf(KUBECTL === undefined)(`podcheck preflight -k${NOT_RUN}`, () => {
  it(
    'builds a kustomization, and says what kubectl says of a broken one',
    async () => {
      const folder = folderWith({ 'till.json': pod('till'), 'kustomization.yaml': 'resources: [till.json]\nnamePrefix: new-\n' });
      const { code, out } = await podcheck(['preflight', '-k', folder], { env: PATH });
      expect(code).toBe(1);
      expect(out).toContain('✖ Pod shop/new-till is blocked by 1 obstacle');
      const broken = await podcheck(['preflight', '-k', folderWith({ 'kustomization.yaml': 'resources: [nothing.yaml]\n' })], {
        env: PATH,
      });
      expect(broken.code).toBe(2);
      expect(broken.err).toContain('nothing.yaml');
    },
    TIMEOUT,
  );
});

describe('hostile words in manifests', () => {
  it.each(HOSTILE.filter((text) => text.trim() !== '').map((text) => [text]))(
    '%j stay text in every format',
    async (text) => {
      const manifests = [pod(text), pod('till', { image: text, command: [text] })].map((one) => JSON.parse(one) as object);
      const file = `${folderWith({ 'shop.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests }) })}/shop.json`;
      const run = async (format: string): Promise<string> => {
        const { code, out, err } = await podcheck(['preflight', '-f', file, '-o', format]);
        expect({ code, err }).toEqual({ code: 1, err: '' });
        expect(out).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
        return out;
      };
      await run('text');
      expect(sarifProblems(JSON.parse(await run('sarif')))).toEqual([]);
      expect(qualityProblems(JSON.parse(await run('gitlab')))).toEqual([]);
      expect(parseXml(await run('junit')).name).toBe('testsuites');
      for (const line of (await run('github')).trimEnd().split('\n')) expect(line).toMatch(/^::(?:error|warning|notice) [^:]*::/);
    },
    TIMEOUT,
  );
});
