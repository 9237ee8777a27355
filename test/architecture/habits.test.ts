/** House rules that a machine can see in the text. */
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/core/errors/registry.ts';
import { ALL_BUCKETS } from '../../src/wire/names/buckets.ts';
import { ALL_STREAMS } from '../../src/wire/names/streams.ts';
import { sourceFiles } from './source-files.ts';

const files = sourceFiles();
const FILE_LINES_MAX = 500;
const FOLDER_FILES_MAX = 25;
/** A shorter file with one user belongs into that user. */
const CRUMB_LINES_MAX = 24;
/** Small files with one user that stand by themselves all the same. Each row must be needed. */
const CRUMBS_WITH_REASON: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^src\/\w+\/main\.ts$/, 'a program'],
  [/^src\/core\/doctor\/[\w-]+\.ts$/, 'one check of `zester doctor` is one file, tested as a family'],
  [/^src\/core\/errors\/[\w-]+-errors\.ts$/, 'the errors of one area, an entry of the registry'],
  [
    /^src\/core\/jinja\/values\/text\/str-[\w-]+\.ts$/,
    'one group of methods of str, of which the others are long',
  ],
  [/^src\/modules\/\w+\/(?:states|functions)\.ts$/, 'the list of a family, which grows with it'],
  [/^src\/modules\/file\/[\w-]+\.ts$/, 'one state function is one file'],
];
/** Product code that no program uses yet. A row that is not needed any more fails. */
const ONLY_TESTED: readonly (readonly [path: string, reason: string])[] = [
  [
    'src/bus/kv/fenced-write.ts',
    'how a leader writes: promised with the leases, for the first leader that writes',
  ],
  ['src/wire/names/role-matrix.ts', 'the policy of grants, written down apart from them'],
];

/** Lines of code (comments blanked) that match, in files that pass the filter. */
function lines(pattern: RegExp, applies: (path: string) => boolean): string[] {
  return files
    .filter((file) => applies(file.path))
    .flatMap((file) =>
      file.code
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : [])),
    );
}

describe('habits', () => {
  it('time, timers and chance come from runtime/ only', () => {
    const pattern =
      /\b(Date\.(now|parse|UTC)|new Date\b|Math\.random|setTimeout|setInterval|setImmediate|performance\.now|process\.hrtime|randomBytes|randomUUID|randomInt|getRandomValues)\b/;
    expect(lines(pattern, (path) => !path.startsWith('src/runtime/'))).toEqual([]);
  });

  it('subjects, buckets and streams are spelled in wire/ only', () => {
    const names = [...ALL_BUCKETS, ...ALL_STREAMS]
      .map(({ name }) => name)
      .filter((name) => name.includes('-'));
    const pattern = new RegExp(
      `['"\`](?:zester\\.|\\$JS\\.|\\$KV\\.|\\$O\\.|\\$SYS\\.|_INBOX|KV_|OBJ_)|['"\`](?:${names.join('|')})['"\`]`,
    );
    // The memory server reads the API subjects as the real server does.
    const exempt = (path: string) => path.startsWith('src/wire/') || path.startsWith('src/bus/memory/');
    expect(lines(pattern, (path) => !exempt(path))).toEqual([]);
  });

  it('buckets, streams and stores are opened by their declaration, not by a name written down again', () => {
    expect(lines(/\.(?:bucket|stream|objects)\(['"`]/, (path) => !path.startsWith('src/wire/'))).toEqual([]);
  });

  it('errors come from the registry: no other error is thrown', () => {
    const own = ['src/core/errors/zester-error.ts', 'src/core/assert.ts', 'src/wire/msgpack/wire-error.ts'];
    const pattern = /\bnew (?:Error|TypeError|RangeError|SyntaxError|AggregateError)\(|throw ['"`]/;
    expect(lines(pattern, (path) => !own.includes(path))).toEqual([]);
  });

  it('nobody decides by the words of an error: errors have codes', () => {
    // Errors of others that have none: V8, JSON.parse, the NATS client library.
    const foreign = [
      'src/bus/nats/connect-failure.ts',
      'src/core/jinja/limits.ts',
      'src/peel/facts/custom-facts.ts',
    ];
    const pattern =
      /\.(?:test|exec)\((?:[\w.]+\.)?(?:message|error|reason)\)|\b(?:message|error|reason)\.(?:includes|match|matchAll|startsWith|endsWith|search|indexOf)\(/;
    expect(lines(pattern, (path) => !foreign.includes(path))).toEqual([]);
    expect(foreign.filter((path) => lines(pattern, (each) => each === path).length === 0)).toEqual([]);
  });

  it('what to do next is called `next:` wherever it is printed', () => {
    expect(lines(/`[^`]*\bhints?: \$\{/i, () => true)).toEqual([]);
  });

  it('every error of the registry is used, and its hint says something', () => {
    const text = files
      .filter((file) => !file.path.startsWith('src/core/errors/'))
      .map((file) => file.code)
      .join('\n');
    const unused = Object.keys(ERRORS).filter((code) => !text.includes(`'${code}'`));
    expect(unused).toEqual([]);
    const thin = Object.entries(ERRORS).filter(
      ([, spec]) => spec.hint.length < 8 || spec.meaning.length < 20,
    );
    expect(thin.map(([code]) => code)).toEqual([]);
  });

  it('a promise that nobody waits for says why, or is a deliberate void', () => {
    expect(lines(/\.catch\(\(\)\s*=>\s*\{\s*\}\)/, () => true)).toEqual([]);
  });

  it(`no file is longer than ${FILE_LINES_MAX} lines`, () => {
    const long = files.filter((file) => file.text.split('\n').length > FILE_LINES_MAX);
    expect(long.map((file) => file.path)).toEqual([]);
  });

  it(`no folder has more than ${FOLDER_FILES_MAX} source files; tests are not counted`, () => {
    const folders = new Map<string, number>();
    for (const { path } of ['src', 'test', 'bench', 'scripts'].flatMap((folder) => sourceFiles(folder))) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
    }
    expect([...folders].filter(([, count]) => count > FOLDER_FILES_MAX)).toEqual([]);
  });

  it(`a file of up to ${CRUMB_LINES_MAX} lines has more than one user, or a reason to stand by itself`, () => {
    const crumbs = files
      .filter(({ text }) => text.trimEnd().split('\n').length <= CRUMB_LINES_MAX)
      .filter(({ path }) => files.filter(({ imports }) => imports.includes(path)).length <= 1)
      .map(({ path }) => path);
    const excused = (path: string) => CRUMBS_WITH_REASON.some(([pattern]) => pattern.test(path));
    expect(crumbs.filter((path) => !excused(path))).toEqual([]);
    const stale = CRUMBS_WITH_REASON.filter(([pattern]) => !crumbs.some((path) => pattern.test(path)));
    expect(stale.map(([, reason]) => reason)).toEqual([]);
  });

  it('what only tests use is in test/, or has a reason to be in the product', () => {
    const used = new Set([...files, ...sourceFiles('scripts')].flatMap(({ imports }) => imports));
    const programs = /(?:\/main|-program)\.ts$/;
    const unused = files.map(({ path }) => path).filter((path) => !used.has(path) && !programs.test(path));
    expect(unused.sort()).toEqual(ONLY_TESTED.map(([path]) => path).sort());
  });

  it('a WireError is made and caught in wire/ only: others get a value from decoded() and tryEncode()', () => {
    expect(lines(/\b(?:instanceof|new) WireError\b/, (path) => !path.startsWith('src/wire/'))).toEqual([]);
  });

  it('file names are kebab-case and none is a drawer for everything', () => {
    const names = files.map((file) => file.path.split('/').at(-1) ?? '');
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(name))).toEqual([]);
    expect(names.filter((name) => /^(utils?|helpers?|common|misc|manager)\.ts$/.test(name))).toEqual([]);
  });
});
