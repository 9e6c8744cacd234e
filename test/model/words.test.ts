import { describe, expect, it } from 'vitest';
import { fill, fillCommand } from '../../src/model/words.ts';

describe('fill', () => {
  it('leaves an optional part out when a value in it is missing', () => {
    expect(fill('{{ name }} is gone[[; {{ similar }} is there]].', { name: 'robot' })).toBe('robot is gone.');
    expect(fill('{{ name }} is gone[[; {{ similar }} is there]].', { name: 'robot', similar: 'robots' })).toBe('robot is gone; robots is there.');
  });
});

describe('fillCommand', () => {
  it('fills in what is a word to a shell', () => {
    const values = { namespace: 'shop', image: 'registry.shop.example:5000/web@sha256:0a1b', selector: 'app=web,tier=front', user: 'system:serviceaccount:shop:robot' };
    expect(fillCommand('kubectl -n {{ namespace }} x {{ image }} -l {{ selector }} --as {{ user }}', values)).toBe(
      'kubectl -n shop x registry.shop.example:5000/web@sha256:0a1b -l app=web,tier=front --as system:serviceaccount:shop:robot',
    );
  });

  it.each(["x'; rm -rf /", '$(reboot)', '`reboot`', 'a | b', 'a\nb', 'a && b', '"', '> file', '\\'])('never puts %j into a command', (value) => {
    expect(fillCommand("kubectl get --as '{{ user }}'", { user: value })).toBe("kubectl get --as '<user>'");
  });
});
