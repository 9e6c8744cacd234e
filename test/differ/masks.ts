/** Puts `<run>`, `<uid>`, `<time>` and the like in the place of what no two clusters share. The path says which field it is of. */
export type Mask = (text: string, path?: string) => string;

const HOUR = 3_600_000;

/** For a run of that name that was played around `now`, in milliseconds: only times of that hour are masked. */
export function maskOf(run: string, now: number): Mask {
  return (text, path = '') => {
    const field = /(?:^|\.)([A-Za-z]+)(?:\[\d+\])?$/.exec(path)?.[1] ?? '';
    if (GENERATED.has(field)) return `<${field}>`;
    if ((field === 'nodePort' || field === 'healthCheckNodePort') && /^3[0-2]\d{3}$/.test(text)) return '<port>';
    let masked = text.replaceAll(run, '<run>');
    for (const [form, shown] of FORMS) masked = masked.replaceAll(form, shown);
    return masked.replaceAll(TIME, (time) =>
      Math.abs(Date.parse(time) - now) < HOUR ? `<time${time.includes('.') ? ' with fraction' : ''}>` : time,
    );
  };
}

const GENERATED: ReadonlySet<string> = new Set(['uid', 'resourceVersion', 'continue']);
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const FORMS: readonly (readonly [RegExp, string])[] = [
  // Those with one digit repeated are given.
  [/\b(?!11111111-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\b10\.96\.(?!77\.)\d{1,3}\.\d{1,3}\b/g, '<ip>'],
  [/\bkube-api-access-[a-z0-9]{5}\b/g, 'kube-api-access-<id>'],
  [
    /\btill-(?=[a-z]*\d|[bcdfghjklmnpqrstvwxz]{5,}\b)[bcdfghjklmnpqrstvwxz2456789]{5,10}(?:-[bcdfghjklmnpqrstvwxz2456789]{5})?\b/g,
    'till-<id>',
  ],
  [/(\b[Pp]ort )3[0-2]\d{3}\b/g, '$1<port>'],
];
