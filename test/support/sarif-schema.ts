import { Ajv2020 } from 'ajv/dist/2020.js';

/**
 * What SARIF 2.1.0 allows of what podcheck writes: the same names, types, bounds and required members, and nothing else. Source:
 * oasis-tcs/sarif-spec, Schemata/sarif-schema-2.1.0.json, definitions run, tool, toolComponent, reportingDescriptor, result, location.
 */
const LEVEL = { enum: ['none', 'note', 'warning', 'error'] };
const TEXT = { type: 'string' };
const MESSAGE = shape({ text: TEXT }, ['text']);
const REGION = shape({ startLine: { type: 'integer', minimum: 1 }, startColumn: { type: 'integer', minimum: 1 } });
const LOCATION = shape({
  physicalLocation: shape({ artifactLocation: shape({ uri: { type: 'string', format: 'uri-reference' } }), region: REGION }),
  logicalLocations: { type: 'array', uniqueItems: true, items: shape({ fullyQualifiedName: TEXT, kind: TEXT }) },
});
const RULE = shape(
  {
    id: TEXT,
    shortDescription: MESSAGE,
    help: MESSAGE,
    helpUri: { type: 'string', format: 'uri' },
    defaultConfiguration: shape({ level: LEVEL }),
  },
  ['id'],
);
const RESULT = shape(
  {
    ruleId: TEXT,
    ruleIndex: { type: 'integer', minimum: -1 },
    level: LEVEL,
    message: MESSAGE,
    locations: { type: 'array', items: LOCATION },
    partialFingerprints: { type: 'object', additionalProperties: TEXT },
  },
  ['message'],
);
const DRIVER = shape({ name: TEXT, version: TEXT, rules: { type: 'array', uniqueItems: true, items: RULE } }, ['name']);
const RUN = shape(
  {
    tool: shape({ driver: DRIVER }, ['driver']),
    columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
    results: { type: 'array', items: RESULT },
  },
  ['tool'],
);
const LOG = shape({ $schema: { type: 'string', format: 'uri' }, version: { enum: ['2.1.0'] }, runs: { type: 'array', items: RUN } }, [
  'version',
  'runs',
]);

/** Fields of GitLab's code quality report. Source: gitlab.com/gitlab-org/gitlab, doc/ci/testing/code_quality.md. */
const QUALITY = {
  type: 'array',
  items: shape(
    {
      description: TEXT,
      check_name: TEXT,
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: shape(
        { path: { type: 'string', pattern: '^(?!\\./)' }, lines: shape({ begin: { type: 'integer', minimum: 1 } }, ['begin']) },
        ['path', 'lines'],
      ),
    },
    ['description', 'check_name', 'fingerprint', 'severity', 'location'],
  ),
};

export function sarifProblems(log: unknown): readonly string[] {
  return problems(LOG, log);
}

export function qualityProblems(report: unknown): readonly string[] {
  return problems(QUALITY, report);
}

function shape(properties: object, required: readonly string[] = []): object {
  return { type: 'object', additionalProperties: false, properties, required };
}

function problems(schema: object, value: unknown): readonly string[] {
  const isUri = (text: string): boolean =>
    URL.canParse(text, 'file:///') && /^[!#-;=?-[\]_a-z~]*$/i.test(text) && !/%(?![\da-f]{2})/i.test(text);
  const ajv = new Ajv2020({
    allErrors: true,
    formats: { uri: (text: string) => isUri(text) && URL.canParse(text), 'uri-reference': isUri },
  });
  const validate = ajv.compile(schema);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
