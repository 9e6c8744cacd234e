import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';

describe('the command line', () => {
  it('tells its version and its help on stdout', async () => {
    expect(await podcheck(['--version'])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+/) as string, err: '' });
    const help = await podcheck(['--help']);
    expect(help).toMatchObject({ code: 0, err: '' });
    for (const words of ['diagnose', 'scan', 'rules', 'explain', 'completion', 'eval', '--from', 'Exit codes', '70'])
      expect(help.out).toContain(words);
  });

  it('keeps its help to eighty columns', async () => {
    const { out } = await podcheck(['diagnose', '--help']);
    expect(out).toContain('--timeline');
    expect(out).toContain('--kubeconfig');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('tells a newcomer three things to type when nothing is asked, and exits with 2', async () => {
    const { code, out, err } = await podcheck([]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.split('\n')[0]).toBe('Type one of these:');
    expect(err.match(/^ {2}.*podcheck /gm)).toHaveLength(3);
  });

  it('lists for each command its own flags and formats only', async () => {
    const help = async (...words: readonly string[]): Promise<string> => (await podcheck([...words, '--help'])).out;
    expect(await help('cert-expiry')).toContain('prometheus');
    expect(await help('cert-expiry')).not.toContain('--selector');
    expect(await help('explain')).not.toMatch(/--output|--namespace|--kubeconfig/);
    expect(await help('drill', 'review')).toContain('text, json, markdown, html, playbook');
    expect(await help('sim', 'list')).not.toContain('--kubeconfig');
  });

  it('refuses a flag the command does not have, instead of ignoring it', async () => {
    const { code, err } = await podcheck(['rules', 'list', '-n', 'shop']);
    expect({ code, err }).toEqual({
      code: 2,
      err: 'error: podcheck rules list has no flag -n\nhint: podcheck rules list --help lists its flags\n',
    });
  });

  it.each([
    ['an unknown command, naming a near one', ['diagnoze'], 'diagnose'],
    ['an unknown command of a group, naming a near one', ['sim', 'serv'], 'did you mean serve?'],
    ['an unknown command of a group within a group', ['runbook', 'journal', 'lst'], 'did you mean list?'],
    ['a duration of --since that is none', ['scan', '--since', 'lately', '--from', 'example:missing-configmap'], 'not a valid duration'],
    ['to watch what does not change', ['diagnose', '--watch', '--from', 'example:missing-configmap'], 'needs a live cluster'],
    ['an unknown flag, naming a near one', ['scan', '--namespce', 'shop'], '--namespace'],
    ['a flag without its value', ['scan', '-n'], 'argument missing'],
    [
      'too many arguments',
      ['scan', 'web'],
      'hint: -n chooses a namespace, --from reads a file; podcheck diagnose NAME examines one object\n',
    ],
    ['a file without its flag', ['sim', 'try', 'web.yaml'], 'hint: give files with -f: podcheck sim try -f FILE\n'],
    ['too many arguments for a command without files', ['completion', 'bash', 'x'], 'hint: podcheck completion --help shows its usage\n'],
    ['an unknown kind, naming a near one', ['diagnose', 'deployement/web', '--from', 'example:missing-configmap'], 'deployment'],
    ['an unknown output format, naming those there are', ['scan', '-o', 'xml', '--from', 'example:missing-configmap'], 'markdown'],
    ['a time that is none', ['scan', '--now', 'yesterday', '--from', 'example:missing-configmap'], '2026-'],
    ['a duration that is none', ['scan', '--request-timeout', 'soon'], '30s'],
    ['an example that is none, naming those there are', ['scan', '--from', 'example:missing-config'], 'missing-configmap'],
    ['a namespace and all of them at once', ['scan', '-n', 'shop', '-A', '--from', 'example:missing-configmap'], 'cannot be used together'],
    [
      'a name and a selector at once',
      ['diagnose', 'web', '-l', 'app=web', '--from', 'example:missing-configmap'],
      'cannot be used together',
    ],
    ['a shell that is none', ['completion', 'zhs'], 'zsh'],
    ['a rule that is none, naming a near one', ['rules', 'show', 'volumes/configmap-not-fond'], 'volumes/configmap-not-found'],
    ['a word that explains nothing, naming a near one', ['explain', 'CrashLopBackOff'], 'CrashLoopBackOff'],
    ['a file that is not there', ['diagnose', '--from', 'nowhere.json'], 'nowhere.json'],
    ['a cluster that no kubeconfig names', ['diagnose', 'web'], 'kubeconfig'],
  ])('refuses %s with exit code 2', async (_, argv, words) => {
    const { code, out, err } = await podcheck(argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(words);
    expect(err).not.toContain('    at ');
  });

  it('takes the flags before the command as well as after it', async () => {
    const before = await podcheck(['-o', 'json', '--from', 'example:missing-configmap', 'diagnose']);
    const after = await podcheck(['diagnose', '-o', 'json', '--from', 'example:missing-configmap']);
    expect(before).toEqual(after);
    expect(before.code).toBe(1);
  });
});
