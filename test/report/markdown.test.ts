import { describe, expect, it } from 'vitest';
import { diagnosisMarkdown, scanMarkdown } from '../../src/report/diagnosis/diagnosis-markdown.ts';
import { CAUSE, ENDED, SCAN, STOPPED } from '../support/diagnoses.ts';

describe('a diagnosis for a ticket', () => {
  const text = diagnosisMarkdown(STOPPED);

  it('has the cause, its evidence and its fix', () => {
    expect(text).toContain('# Deployment shop/web: A volume names a ConfigMap that does not exist');
    expect(text).toContain('configmap "web-settings" not found');
    expect(text).toMatch(/1\. Create the ConfigMap.*\n {3}```\n {3}kubectl -n shop create configmap/);
  });

  it('has a row for every stage', () => {
    expect(text.match(/^\| [a-z-]+ \| (passed|blocked|not-reached) \|/gm)).toHaveLength(18);
  });

  it('cannot be made to hold markup by what the cluster says', () => {
    const quote = '```\n<img src=x onerror=alert(1)>\n````\n# heading';
    const hostile = diagnosisMarkdown({
      ...STOPPED,
      causes: [{ ...CAUSE, what: '<b>[click](http://evil.example)</b> | x', evidence: [{ about: CAUSE.object, source: '`a`', quote }] }],
    });
    expect(hostile).toContain(String.raw`&lt;b&gt;\[click\]\(http://evil.example\)&lt;/b&gt; \| x`);
    expect(hostile).toContain('`````');
  });
});

describe('a scan for a ticket', () => {
  it('has a section for each cause and names what has none', () => {
    const text = scanMarkdown(SCAN);
    expect(text).toContain('# Namespace shop: 2 of 5 healthy');
    expect(text).toContain('## 1. A volume names a ConfigMap that does not exist');
    expect(text).toContain('- StatefulSet shop/db: 1/3 ready');
    expect(scanMarkdown({ ...SCAN, certificates: [ENDED] })).toContain(
      "- **EXPIRED** scheduler's client certificate, ends 2026-01-13, control-plane:/etc/kubernetes/scheduler.conf:",
    );
  });
});
