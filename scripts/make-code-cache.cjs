/**
 * Writes the code cache of one bundle (bin/code-cache.cjs): runs the program to its end with `--help`, and keeps what V8
 * has compiled by then: every module has been loaded, as for a command. Called by the build as: node make-code-cache.cjs <bundle>.
 *
 * The cache is written beside its place and renamed. Whoever starts the program before that finds a cache that does not fit
 * the bundle, and does without.
 */
'use strict';

const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { cachePath, run, sealed } = require('../bin/code-cache.cjs');

const [, , bundle] = process.argv;
const path = cachePath(bundle);
let script;

process.argv.splice(1, process.argv.length - 1, bundle, '--help');
// The program ends by `exit`.
process.on('exit', (code) => {
  if (code !== 0) return;
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, sealed(readFileSync(bundle), script.createCachedData()), { mode: 0o644 });
  renameSync(temporary, path);
});
script = run(bundle);
