/**
 * Loads a program with the code that V8 made of it at build time, which saves V8 the compiling at every start. The cache
 * lies beside the bundle and is nothing without it: SHA-256 of bundle and code, then the code.
 *
 * V8 itself looks only at its own version and flags and at the length of the source. It runs the code of another source of
 * the same length, and falls over bytes that are not what it wrote. So the cache is used only when
 *   - its digest fits: it is whole, and of this very bundle;
 *   - it belongs to the owner and the group of the bundle, and nobody may write to it who may not write to the bundle;
 *   - V8 takes it: another version of Node compiles for itself.
 * In every other case the bundle is compiled as if there were no cache. It is written by the build only, never by a program
 * that runs: two that start at once share nothing.
 */
'use strict';

const { createHash } = require('node:crypto');
const { closeSync, fstatSync, openSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname } = require('node:path');
const { Script } = require('node:vm');

const DIGEST_BYTES = 32;
const WRITABLE_BY_OTHERS = 0o022;

/** Runs the bundle as `require` would. Returns its script, for the build to take the code from. */
function run(bundle) {
  const { bytes, stat } = read(bundle);
  const cachedData = codeFor(bundle, bytes, stat);
  const script = new Script(Module.wrap(bytes.toString('utf8')), { filename: bundle, cachedData });
  const module = new Module(bundle);
  module.filename = bundle;
  script.runInThisContext()(module.exports, Module.createRequire(bundle), module, bundle, dirname(bundle));
  return script;
}

function cachePath(bundle) {
  return bundle.replace(/\.cjs$/, '.cache');
}

/** What the cache file of a bundle holds. */
function sealed(bundleBytes, code) {
  return Buffer.concat([digestOf(bundleBytes, code), code]);
}

function codeFor(bundle, bytes, stat) {
  let cache;
  try {
    cache = read(cachePath(bundle));
  } catch {
    // There is none, or it cannot be read: it is only there to be faster.
    return undefined;
  }
  const hasSameOwners = cache.stat.uid === stat.uid && cache.stat.gid === stat.gid;
  const isOurs = hasSameOwners && (cache.stat.mode & WRITABLE_BY_OTHERS & ~stat.mode) === 0;
  if (!isOurs || cache.bytes.length <= DIGEST_BYTES) return undefined;
  const code = cache.bytes.subarray(DIGEST_BYTES);
  return digestOf(bytes, code).equals(cache.bytes.subarray(0, DIGEST_BYTES)) ? code : undefined;
}

function digestOf(bytes, code) {
  return createHash('sha256').update(bytes).update(code).digest();
}

/** Bytes and owner of one and the same file, whatever takes its name meanwhile. */
function read(path) {
  const file = openSync(path, 'r');
  try {
    return { stat: fstatSync(file), bytes: readFileSync(file) };
  } finally {
    closeSync(file);
  }
}

module.exports = { run, cachePath, sealed };
