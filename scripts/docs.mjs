/** `npm run docs`: writes the pages, and parts of pages, that are made from the code. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, setUp } from './setup.mjs';
import { runMain } from './steps.mjs';

await runMain(async () => {
  await setUp();
  const esbuild = await import('esbuild');
  const outfile = join(ROOT, 'dist', 'docs', 'generated-pages.mjs');
  await esbuild.build({
    entryPoints: [join(ROOT, 'scripts', 'docs', 'generated-pages.ts')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    outfile,
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  const { generatedPages } = await import(pathToFileURL(outfile));
  const read = (path) => readFileSync(join(ROOT, path), 'utf8');
  for (const [path, text] of generatedPages(read)) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    console.log(`wrote ${path}`);
  }
  return 0;
});
