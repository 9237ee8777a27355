/** `bundled` lets a script use our TypeScript: Node 20 does not read it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../..');

/** The module of a TypeScript file of this project. */
export async function bundled(entry) {
  const dir = mkdtempSync(join(tmpdir(), 'zester-compare-'));
  try {
    const outfile = join(dir, 'module.mjs');
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
