const DATA = ['text', 'json', 'yaml'] as const;
/** For pipelines. */
export const PIPELINE = ['sarif', 'junit', 'github', 'gitlab'] as const;
const REPORT = ['text', 'wide', 'json', 'yaml', 'markdown', 'html', ...PIPELINE] as const;
const WIDE = ['text', 'wide', 'json', 'yaml'] as const;

/** What `-o` can be for each command; the first is what is written without it. Commands that are not here have no `-o`. */
export const FORMATS = {
  diagnose: REPORT,
  scan: REPORT,
  preflight: ['text', 'wide', 'json', 'yaml', 'html', ...PIPELINE],
  watch: ['text', 'json'],
  rules: DATA,
  'rules list': DATA,
  'rules show': DATA,
  'rules facts': DATA,
  eval: DATA,
  'cert-expiry': ['table', 'wide', 'json', 'yaml', 'prometheus', 'markdown', 'html'],
  sim: DATA,
  'sim list': DATA,
  'sim show': DATA,
  'sim run': [...WIDE, 'html'],
  'sim try': [...WIDE, 'html'],
  'sim replay': WIDE,
  'sim diff': WIDE,
  runbook: DATA,
  'runbook list': DATA,
  'runbook show': ['text', 'markdown', 'json', 'yaml'],
  'runbook run': DATA,
  'runbook journal': DATA,
  'runbook journal list': DATA,
  'runbook journal show': DATA,
  'runbook journal verify': DATA,
  'runbook journal export': ['markdown', 'html', 'json', 'yaml'],
  drill: DATA,
  'drill list': DATA,
  'drill status': DATA,
  'drill hint': DATA,
  'drill check': DATA,
  'drill answer': DATA,
  'drill give-up': DATA,
  'drill review': ['text', 'json', 'markdown', 'html', 'playbook'],
  rbac: ['yaml', 'json'],
  'drill board': [...DATA, 'html'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

/** A format that a command has. */
export type FormatOf<Command extends keyof typeof FORMATS> = (typeof FORMATS)[Command][number];
