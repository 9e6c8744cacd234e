import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TimeHeap } from '../../src/simulator/time/time-heap.ts';

const STEPS = fc.array(
  fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 20 }) }, { weight: 1, arbitrary: fc.constantFrom('take', 'forget-odd') }),
  { maxLength: 400 },
);

test('what waits comes out by its time and, of the same time, in the order it was put in, whatever happens in between', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const heap = new TimeHeap<string>();
      let expected: { readonly time: number; readonly name: string }[] = [];
      for (const [number, step] of steps.entries()) {
        if (typeof step === 'number') {
          heap.push(step, number, `web-${number}`);
          const after = expected.findIndex(({ time }) => time > step);
          expected.splice(after === -1 ? expected.length : after, 0, { time: step, name: `web-${number}` });
        } else if (step === 'take') {
          expect(heap.first).toBe(expected.shift()?.name);
          heap.removeFirst();
        } else {
          const isEven = (name: string): boolean => Number(name.slice(4)) % 2 === 0;
          heap.keep(isEven);
          expected = expected.filter(({ name }) => isEven(name));
        }
        expect(heap.length).toBe(expected.length);
      }
      expect(heap.inOrder()).toEqual(expected.map(({ name }) => name));
      for (const { name } of expected) {
        expect(heap.first).toBe(name);
        heap.removeFirst();
      }
      expect(heap.first).toBe(undefined);
    }),
  );
});
