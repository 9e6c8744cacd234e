import { describe, expect, it } from 'vitest';
import { parsePlaybook } from '../../src/catalog/parse-playbook.ts';
import type { Problem } from '../../src/catalog/yaml-problem.ts';
import { steps } from '../runbook/shop.ts';

function problems(body: string): readonly string[] {
  const found: Problem[] = [];
  parsePlaybook('shop.yaml', steps(body), 'shop-trouble', found);
  return found.map(({ message }) => message);
}

describe('the way through a playbook', () => {
  it('is sound where every step leads to the next', () => {
    expect(problems('- { id: look, diagnose: target }\n- { id: last, note: Done. }')).toEqual([]);
  });

  it('has each id once', () => {
    expect(problems('- { id: look, diagnose: target }\n- { id: look, note: Done. }')).toContain(
      'an earlier step already has the ID "look"',
    );
  });

  it('leads to steps that are there', () => {
    expect(problems('- { id: look, diagnose: target, then: lsat }\n- { id: last, note: Done. }')).toContain(
      'unknown step "lsat"; did you mean last?',
    );
  });

  it.each(['pass', 'fail', 'unknown'])('leads to what a check names for %s, too', (word) => {
    const check = (target: string): string => `- { id: look, say: Is it well?, check: { outcome: healthy }, ${word}: ${target} }`;
    expect(problems(`${check('lsat')}\n- { id: last, note: Done. }`)).toContain('unknown step "lsat"; did you mean last?');
    const jump = `${check('other')}\n- { id: next, note: Next., then: end }\n- { id: other, note: Other. }`;
    expect(problems(jump)).toEqual([]);
  });

  it('goes on behind a check only where that leaves it open', () => {
    const check = (...words: readonly string[]): string =>
      `- { id: look, say: Is it well?, check: { outcome: healthy }, ${words.map((word) => `${word}: last`).join(', ')} }`;
    const behind = '\n- { id: next, note: Next. }\n- { id: last, note: Done. }';
    expect(problems(`${check('pass', 'fail')}${behind}`)).toEqual([]);
    expect(problems(`${check('pass', 'fail', 'unknown')}${behind}`)).toEqual(['this step cannot be reached']);
  });

  it('never goes round in circles, over however many steps', () => {
    expect(problems('- { id: look, diagnose: target, then: look }')).toContain('the steps form a loop: look → look');
    expect(problems('- { id: look, diagnose: target }\n- { id: show, note: Look. }\n- { id: last, note: Done., then: look }')).toContain(
      'the steps form a loop: look → show → last → look',
    );
  });

  it('reaches every step', () => {
    expect(problems('- { id: look, diagnose: target, then: last }\n- { id: lost, note: Never. }\n- { id: last, note: Done. }')).toContain(
      'this step cannot be reached',
    );
  });
});
