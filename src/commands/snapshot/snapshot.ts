import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { PodcheckError } from '../../base/errors.ts';
import { systemReason } from '../../base/system-error.ts';
import { writeRecording } from '../../clusters/recording.ts';
import { tarOf } from '../../clusters/snapshot/write-tar.ts';
import type { CommandContext } from '../context.ts';
import { openEvidence } from '../diagnose/open-evidence.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { RuleOptions, SourceOptions } from '../options.ts';
import { gatherRules } from '../rules/gather-rules.ts';
import type { RecordedLook } from './record-look.ts';
import { recordLook } from './record-look.ts';
import type { Kept } from './snapshot-contents.ts';
import { contentsOf } from './snapshot-contents.ts';
import { snapshotText } from './snapshot-text.ts';

export interface SnapshotOptions extends SourceOptions, RuleOptions {
  /** The object it is for: `NAME`, `KIND/NAME`, `KIND/NAMESPACE/NAME`. */
  readonly for?: string;
  /** The file to write: `.tgz` or `.json`; `-` is stdout. */
  readonly output?: string;
  /** False: values of environment variables and ConfigMaps stay. */
  readonly redact?: boolean;
  readonly logs?: boolean;
}

/** Keeps what a diagnosis of an object, a namespace or a cluster reads, for later or for somebody else. Never values of Secrets. */
export async function runSnapshot(options: SnapshotOptions, context: CommandContext): Promise<ExitCode> {
  const file = fileOf(options);
  const { look, kept } = await context.progress('reading the cluster', async (say) => {
    const rules = await gatherRules(options.rules ?? []);
    const opened = await openEvidence(options, context);
    try {
      if (opened.trouble !== undefined)
        throw new PodcheckError('unreachable', opened.trouble, 'check the connection with `kubectl version` and the same flags');
      const whole = await recordLook(opened, rules, options.for, say);
      const logs = options.logs !== false;
      return {
        look: logs ? whole : { ...whole, evidence: { ...whole.evidence, logs: [] } },
        kept: { target: whole.target, namespace: opened.namespace, redact: options.redact !== false, logs },
      };
    } finally {
      opened.close();
    }
  });
  const content = file.endsWith('gz') ? await archiveOf(look, kept) : Buffer.from(recordingOf(look, kept));
  if (file === '-') context.write(content.toString());
  else await write(file, content);
  (file === '-' ? context.note : context.write)(
    snapshotText(look, kept, { name: file === '-' ? 'stdout' : file, bytes: content.length }, context.look),
  );
  return EXIT.healthy;
}

function fileOf({ output }: SnapshotOptions): string {
  if (output === undefined) throw new PodcheckError('usage', 'no file is given', 'for example podcheck snapshot -n shop -o shop.tgz');
  if (output !== '-' && !/\.(?:tgz|tar\.gz|json)$/.test(output))
    throw new PodcheckError(
      'usage',
      `-o: ${JSON.stringify(output)} does not end with .tgz, .tar.gz or .json`,
      'for example -o shop.tgz, or -o - for stdout',
    );
  if (existsSync(output)) throw exists(output);
  return output;
}

function recordingOf({ evidence }: RecordedLook, { redact }: Kept): string {
  return writeRecording(evidence, { redact });
}

async function archiveOf(look: RecordedLook, kept: Kept): Promise<Buffer> {
  const contents = `${JSON.stringify(contentsOf(look.evidence, kept), undefined, 2)}\n`;
  const files = [
    { path: 'podcheck-snapshot/contents.json', content: Buffer.from(contents) },
    { path: 'podcheck-snapshot/recording.json', content: Buffer.from(recordingOf(look, kept)) },
  ];
  return promisify(gzip)(tarOf(files, look.evidence.now));
}

/** Nothing that is there already is lost. Only its owner may read it. */
async function write(file: string, content: Uint8Array): Promise<void> {
  try {
    await writeFile(file, content, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw exists(file);
    throw new PodcheckError('bad-input', `cannot write ${file}: ${systemReason(error)}`);
  }
}

function exists(file: string): PodcheckError {
  return new PodcheckError('bad-input', `${file} already exists`, 'Give another name, or remove the file first.');
}
