/**
 * This script runs the cases of a file through our engine and tells where it differs from what Salt did. Ends with 1
 * if anywhere.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../..');
const SHOWN_MAX = 20;

const [file] = process.argv.slice(2);
const { parseCases, RecordedCases, judgeCase } = await bundled('test/jinja/judge.ts');
const cases = new RecordedCases(join(ROOT, 'test/fixtures/jinja'));
const verdicts = parseCases(readFileSync(file, 'utf8')).map((recorded) => judgeCase(cases, recorded));
const unlisted = verdicts.filter(({ verdict }) => verdict === 'differs');
for (const { recorded, ours } of unlisted.slice(0, SHOWN_MAX)) {
  console.log(`${recorded.id} ${JSON.stringify(recorded.o ?? {})}`);
  console.log(`  template ${JSON.stringify(recorded.t)}`);
  console.log(`  salt     ${JSON.stringify(recorded.err ?? recorded.out)}`);
  console.log(`  ours     ${JSON.stringify(ours.err ?? ours.out)}`);
}
const listed = verdicts.filter(({ verdict }) => verdict !== 'same' && verdict !== 'differs');
for (const name of new Set(listed.map(({ verdict }) => verdict)))
  console.log(`listed: ${listed.filter(({ verdict }) => verdict === name).length} × ${name}`);
console.log(
  `${verdicts.length} cases, ${listed.length} with a listed difference, ${unlisted.length} with another`,
);
process.exitCode = unlisted.length === 0 ? 0 : 1;

/** Node 20 does not read TypeScript. */
async function bundled(entry) {
  const dir = mkdtempSync(join(tmpdir(), 'zester-compare-'));
  try {
    const outfile = join(dir, 'judge.mjs');
    await esbuild.build({
      entryPoints: [join(ROOT, entry)],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile,
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(dir, { recursive: true });
  }
}
