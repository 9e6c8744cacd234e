import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { loadKubeconfig } from '../../src/clusters/live/kubeconfig/kubeconfig-files.ts';
import { homeFolderOf, stateFolder } from '../../src/files/state-folder.ts';
import { folderWith } from '../support/folder.ts';

const HOME = '/home/anna';

describe('the home folder', () => {
  it('is HOME, or that of the user where HOME is not an absolute path', () => {
    expect(homeFolderOf({ HOME })).toBe(HOME);
    for (const env of [{}, { HOME: '' }, { HOME: '.' }, { HOME: 'home/anna' }]) expect(homeFolderOf(env)).toBe(userInfo().homedir);
  });

  it('never is the working folder: a kubeconfig that lies there is not read', async () => {
    const workingFolder = folderWith({ '.kube/config': 'kind: Config\ncurrent-context: shop\n' });
    const { files, looked } = await loadKubeconfig(undefined, { env: { HOME: '' }, homeFolder: '', workingFolder });
    expect({ files, looked }).toEqual({ files: [], looked: [] });
  });
});

describe('the state folder', () => {
  it('lies in XDG_STATE_HOME, or below the home', () => {
    expect(stateFolder('runs', { XDG_STATE_HOME: '/var/state' }, HOME)).toBe('/var/state/podcheck/runs');
    expect(stateFolder('runs', {}, HOME)).toBe(`${HOME}/.local/state/podcheck/runs`);
  });

  it('ignores a path that is not absolute, as the specification says', () => {
    for (const path of ['', '.', 'state', '~/state'])
      expect(stateFolder('runs', { XDG_STATE_HOME: path }, HOME)).toBe(`${HOME}/.local/state/podcheck/runs`);
  });

  it('is an error with the way out where there is no home either', () => {
    expect(() => stateFolder('runs', { XDG_STATE_HOME: 'state' }, '')).toThrow(
      expect.objectContaining({ code: 'unsupported', hint: expect.stringMatching(/XDG_STATE_HOME/) as string }) as Error,
    );
  });
});
