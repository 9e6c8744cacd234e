// Makes everything of a release from package.json and one packed tarball: the krew manifest, the Containerfile and the GitHub Action.
//   npm run release -- --dry-run            prints what would be published
//   npm run release -- --url URL --out DIR  writes it to a folder; URL is where the tarball will be
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';

/**
 * What the Action runs. Text of a cluster may look like a command to the runner, so the runner ignores commands meanwhile. A job summary
 * has room for 1 MiB.
 */
const ACTION = `case "$PODCHECK_COMMAND" in
  scan | diagnose | cert-expiry) ;;
  *) echo "error: the input command must be scan, diagnose or cert-expiry" >&2; exit 2 ;;
esac
podcheck() { npx --yes "podcheck@$PODCHECK_VERSION" "$PODCHECK_COMMAND" --from "$PODCHECK_FROM" "$@"; }
pause=$(node -p 'crypto.randomUUID()')
echo "::stop-commands::$pause"
code=0
podcheck || code=$?
{ podcheck --output markdown 2>/dev/null || true; } | head -c 1000000 >> "$GITHUB_STEP_SUMMARY"
echo "::$pause::"
echo "exit-code=$code" >> "$GITHUB_OUTPUT"
exit "$code"
`;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { name, version, description, license, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const options = readOptions();

const folder = mkdtempSync(join(tmpdir(), 'podcheck-release-'));
try {
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', folder], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const tarball = readFileSync(join(folder, filename));
  const sha256 = createHash('sha256').update(tarball).digest('hex');
  const url = options.url ?? `<where ${filename} will be>`;
  const files = {
    'krew/podcheck.yaml': krew(url, sha256),
    Containerfile: containerfile(filename),
    'action.yml': action(),
    SHA256SUMS: `${sha256}  ${filename}\n`,
  };
  console.log(`${filename}: ${size} bytes packed, ${unpackedSize} unpacked, ${entryCount} files, ${license}, Node ${engines.node}\n`);
  for (const [path, text] of Object.entries(files)) {
    console.log(`--- ${path}\n${text}`);
    if (options.out !== undefined) write(join(options.out, path), text);
  }
  if (options.out !== undefined) copyFileSync(join(folder, filename), join(options.out, filename));
  console.log(
    options.out === undefined
      ? 'Nothing was written or published.'
      : `Written to ${options.out}. To publish: npm publish ${join(options.out, filename)}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function readOptions() {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, url: { type: 'string' }, out: { type: 'string' } } });
  const dryRun = values['dry-run'] === true;
  if (dryRun === (values.out !== undefined) || (!dryRun && values.url === undefined)) {
    console.error('usage: npm run release -- --dry-run [--url URL]   or   npm run release -- --url URL --out FOLDER');
    process.exit(2);
  }
  return { url: values.url, out: values.out };
}

function write(path, text) {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

/** The plugin is the program itself; Node must be on the PATH. Format: krew.googlecontainertools.github.com/v1alpha2. */
function krew(uri, sha256) {
  const platform = (os) => ({
    selector: { matchLabels: { os } },
    uri,
    sha256,
    files: [
      { from: 'package/dist/*', to: '.' },
      { from: 'package/LICENSE', to: '.' },
    ],
    bin: 'podcheck.js',
  });
  return stringify({
    apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
    kind: 'Plugin',
    metadata: { name },
    spec: {
      version: `v${version}`,
      shortDescription: 'Find the cause that keeps a pod from coming up',
      description,
      caveats: `Needs Node ${engines.node}.`,
      platforms: ['linux', 'darwin'].map(platform),
    },
  });
}

function containerfile(filename) {
  return `# Build it beside ${filename}: podman build -t ${name}:${version} .
# Run it, for example: podman run --rm -i --read-only --network none ${name}:${version} diagnose --from - < describe.txt
FROM docker.io/library/node:22-slim AS unpacked
COPY ${filename} /tmp/
RUN mkdir /app && tar -xzf /tmp/${filename} -C /app --strip-components=1

FROM gcr.io/distroless/nodejs22-debian12:nonroot
COPY --from=unpacked /app /app
USER 65532:65532
ENTRYPOINT ["/nodejs/bin/node", "/app/dist/podcheck.js"]
`;
}

/** Inputs reach the shell as environment variables only: nothing of them is read as a command. */
function action() {
  const env = { PODCHECK_COMMAND: '${{ inputs.command }}', PODCHECK_FROM: '${{ inputs.from }}', PODCHECK_VERSION: '${{ inputs.version }}' };
  return stringify({
    name,
    description,
    inputs: {
      command: { description: 'scan, diagnose or cert-expiry', default: 'scan' },
      from: { description: 'a file, folder or archive of kubectl output', required: true },
      version: { description: 'the version of podcheck', default: version },
    },
    outputs: {
      'exit-code': {
        description: '0: healthy, 1: a cause was found, 2: wrong input, 3: inconclusive',
        value: '${{ steps.podcheck.outputs.exit-code }}',
      },
    },
    runs: { using: 'composite', steps: [{ id: 'podcheck', shell: 'bash', env, run: ACTION }] },
  });
}
