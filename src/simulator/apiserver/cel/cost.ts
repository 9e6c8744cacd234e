import { append } from '../../../base/lists.ts';

/**
 * What one expression may cost. Only rounds of comprehensions are counted, each as the least it costs the API server, so that what
 * is refused here is refused there. Source: staging/src/k8s.io/apiserver/pkg/apis/cel/config.go (PerCallLimit).
 */
const LIMIT = 1_000_000;

/** Source: github.com/google/cel-go interpreter/runtimecost.go and interpreter/interpreter.go (EvalCancelledError). */
export const COST_EXCEEDED = 'operation cancelled: actual cost limit exceeded';

let rounds = 0;

/**
 * Works an expression out that was prepared with `countRounds`; throws when it costs too much. An alternative, or a member of a list
 * that decides, makes up for what failed, but nothing makes up for being out of budget.
 */
export function withinCost<T>(run: () => T): T {
  rounds = 0;
  const value = attempt(run);
  if (rounds > LIMIT) throw new Error(COST_EXCEEDED);
  if ('error' in value) throw value.error;
  return value.value;
}

function attempt<T>(run: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}

/** Makes every comprehension of a parsed expression count its rounds, and end when there were too many. */
export function countRounds(root: unknown): void {
  const seen = new WeakSet<object>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    if (Array.isArray(node)) {
      append(open, node as readonly unknown[]);
      continue;
    }
    const { op, args, meta } = node as ParsedNode;
    if (op === 'comprehension') {
      const comprehension = args as Comprehension;
      comprehension.condition = counted(comprehension.condition);
      open.push(comprehension.iterable, comprehension.step);
    } else open.push(meta?.alternate ?? args);
  }
}

function counted(condition: Comprehension['condition']): Comprehension['condition'] {
  return (found) => {
    rounds += 1;
    if (rounds > LIMIT) throw new Error(COST_EXCEEDED);
    return condition === undefined || condition(found);
  };
}

/** What the parser makes of a part of an expression; a macro stands for another node. */
interface ParsedNode {
  readonly op?: unknown;
  readonly args?: unknown;
  readonly meta?: { readonly alternate?: unknown };
}

/** The library asks before every round whether to go on. */
interface Comprehension {
  readonly iterable?: unknown;
  readonly step?: unknown;
  condition?: ((found: unknown) => boolean) | undefined;
}
