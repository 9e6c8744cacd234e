import type { ObjectRef } from '../../../model/kube-object.ts';
import type { Line } from '../clean-lines.ts';
import { unnamed } from './involved.ts';
import { podRef } from './named-objects.ts';

const MARKS = '[\\s>|•·*_`-]{0,12}';
/** A field as consoles and alerts show it: `Namespace: shop`, `• *namespace:* shop`. The console of OpenShift has badges in front. */
const NAMESPACE = new RegExp(
  `^${MARKS}(?:[Nn]amespace|[Pp]roject)[*_\`]{0,3}\\s{0,8}[:=][\\s*_\`]{0,8}([a-z0-9][a-z0-9-]{0,62})(?=[\\s*_\`,;|]|$)|^\\s{0,8}NS\\s{1,8}([a-z0-9][a-z0-9-]{0,62})\\s{0,8}$`,
);
const WITHIN = /\s{2}Namespace: ([a-z0-9][a-z0-9-]{0,62})(?=\s|$)/;
const POD = new RegExp(
  `^${MARKS}[Pp]od[*_\`]{0,3}\\s{0,8}[:=][\\s*_\`]{0,8}([a-z0-9][a-z0-9.-]{0,252})(?=[\\s*_\`,;|]|$)|^\\s{0,8}P\\s{1,8}([a-z0-9][a-z0-9.-]{0,252})\\s{0,8}$`,
);

/** The pod that fields with labels in a text tell of: only where all of them agree. */
export function podOfFields(lines: readonly Line[]): ObjectRef | undefined {
  const namespace = only(lines, NAMESPACE) ?? only(lines, WITHIN);
  if (namespace === undefined) return undefined;
  return podRef(only(lines, POD) ?? unnamed('Pod').name, namespace);
}

function only(lines: readonly Line[], form: RegExp): string | undefined {
  const [found, ...others] = new Set(
    lines.flatMap(
      ({ text }) =>
        form
          .exec(text)
          ?.slice(1)
          .find((group) => group !== undefined) ?? [],
    ),
  );
  return others.length === 0 ? found : undefined;
}
