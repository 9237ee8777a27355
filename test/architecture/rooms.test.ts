/** Who may import whom (rooms.ts), and which room may touch the outside world. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOMS } from './rooms.ts';
import { listFiles, type SourceFile, sourceFiles } from './source-files.ts';

const MAY_IMPORT = new Map(ROOMS.map(({ name, mayImport }) => [name, mayImport]));

/** Node's own modules, by room; a longer prefix of the path wins. Nothing listed means none. */
const NODE_MODULES: readonly (readonly [prefix: string, allowed: readonly string[]])[] = [
  ['src/wire/', []],
  ['src/core/', []],
  ['src/runtime/', ['node:crypto', 'node:events', 'node:util']],
  ['src/bus/', ['node:crypto']],
  ['src/bus/memory/', []],
  ['src/bus/nats/', ['node:net', 'node:tls']],
  [
    'src/nats-server/',
    [
      'node:child_process',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:fs/promises',
      'node:net',
      'node:os',
      'node:path',
      'node:tls',
    ],
  ],
  ['src/process/', ['node:child_process', 'node:crypto', 'node:events', 'node:fs', 'node:path']],
  ['src/system/', ['node:path', 'node:util']],
  [
    'src/system/linux/',
    [
      'node:child_process',
      'node:fs',
      'node:fs/promises',
      'node:os',
      'node:path',
      'node:crypto',
      'node:process',
      'node:util',
    ],
  ],
  ['src/trust/', ['node:crypto', 'node:net', 'node:path']],
  ['src/trust/auth-dir.ts', ['node:fs', 'node:path']],
  ['src/trust/key-files.ts', ['node:fs', 'node:path']],
  ['src/trust/x509/ca-dir.ts', ['node:fs', 'node:path']],
  ['src/modules/', []],
  ['src/daemon/', []],
  ['src/daemon/health-server.ts', ['node:http', 'node:net']],
  ['src/daemon/serve-daemon.ts', ['node:fs']],
  ['src/peel/', []],
  ['src/peel/main.ts', ['node:path']],
  ['src/peel/facts/', ['node:crypto']],
  [
    'src/peel/join/',
    ['node:crypto', 'node:http', 'node:https', 'node:net', 'node:path', 'node:string_decoder', 'node:tls'],
  ],
  ['src/master/', []],
  ['src/master/enroll/join-tokens.ts', ['node:crypto']],
  ['src/master/enroll/http/', ['node:crypto', 'node:http', 'node:https', 'node:net', 'node:tls']],
  ['src/master/enroll/http/serve-enroll.ts', ['node:fs', 'node:os']],
  ['src/master/main.ts', ['node:os', 'node:path']],
  ['src/master/master-options.ts', ['node:util']],
  ['src/cli/', ['node:fs', 'node:net', 'node:os', 'node:path', 'node:process', 'node:util']],
  ['src/cli/authoring/other-program.ts', ['node:child_process']],
  ['src/client/', []],
  ['src/local-fleet/', ['node:child_process', 'node:fs', 'node:path']],
  ['src/authoring/', ['node:fs', 'node:path']],
];

/** Packages from npm, by room. */
const PACKAGES: readonly (readonly [prefix: string, allowed: readonly string[]])[] = [
  ['src/', []],
  ['src/core/diff/', ['diff']],
  ['src/core/jinja/library/filters/', ['character-entities', 'character-entities-legacy']],
  ['src/core/regex/', ['re2js']],
  ['src/core/target/', ['re2js']],
  ['src/core/templates/', ['re2js']],
  ['src/cli/terminal/format-data.ts', ['yaml']],
  ['src/bus/nats/', ['@nats-io/transport-node']],
  ['src/trust/nats-authenticator.ts', ['@nats-io/transport-node']],
  ['src/trust/sealed-box.ts', ['tweetnacl']],
];

const IMPORTS_CLI = /(?:from|import\() ?'(?:\.\.\/)+(?:src\/)?cli\//;
/** What is about commands themselves, outside src/cli. A file that no longer imports it is to be taken out. */
const ABOUT_COMMANDS: readonly string[] = [
  // Runs one command in the test's own process.
  'test/harness/programs/run-command.ts',
  // Every command there is, with hostile records.
  'test/integration/jobs/hostile-words.test.ts',
  'test/integration/trust/enroll-commands.test.ts',
  'test/integration/flood/banned-peel.test.ts',
  // Every command that prints JSON, and the list of commands.
  'test/e2e/json.test.ts',
  'test/e2e/cli.test.ts',
  // The reference pages of commands and of their JSON.
  'scripts/docs/generated-pages.ts',
  'scripts/docs/json-pages.ts',
  'scripts/docs/json-schemas.ts',
];

const ROOT = resolve(import.meta.dirname, '../..');
const files = sourceFiles();

describe('rooms', () => {
  it('the list has every room, each once, and nothing that is not there', () => {
    const there = [...new Set(files.map((file) => file.room))];
    expect(ROOMS.map(({ name }) => name).sort()).toEqual(there.sort());
  });

  it('the list goes from the ground up', () => {
    const names = ROOMS.map(({ name }) => name);
    const upwards = ROOMS.flatMap(({ name, mayImport }, at) =>
      mayImport.filter((other) => !names.slice(0, at).includes(other)).map((other) => `${name} → ${other}`),
    );
    expect(upwards).toEqual([]);
  });

  it('a room imports only the rooms it may', () => {
    const wrong = files.flatMap((file) =>
      ownImports(file)
        .filter((path) => path.split('/')[1] !== file.room)
        .filter((path) => !MAY_IMPORT.get(file.room)?.includes(path.split('/')[1] ?? ''))
        .map((path) => `${file.path} imports ${path}`),
    );
    expect(wrong).toEqual([]);
  });

  it('nothing imports the command line but its own tests and pages: whoever asks a fleet uses the client room', () => {
    const importing = ['src', 'test', 'bench', 'scripts']
      .flatMap((folder) => listFiles(join(ROOT, folder)))
      .filter((path) => path.endsWith('.ts') && IMPORTS_CLI.test(readFileSync(path, 'utf8')))
      .map((path) => path.slice(ROOT.length + 1))
      .filter((path) => !path.startsWith('src/cli/'));
    expect(importing.sort()).toEqual([...ABOUT_COMMANDS].sort());
  });

  it('an adapter is imported by its own folder and by whoever puts programs together, not by the port', () => {
    const adapters = ['src/bus/nats/', 'src/bus/memory/', 'src/system/linux/', 'src/system/memory/'];
    const wrong = files.flatMap((file) =>
      ownImports(file)
        .filter((path) =>
          adapters.some((adapter) => path.startsWith(adapter) && !file.path.startsWith(adapter)),
        )
        .filter(() => ['bus', 'system', 'trust', 'runtime'].includes(file.room))
        .map((path) => `${file.path} imports ${path}`),
    );
    expect(wrong).toEqual([]);
  });

  it('Node and npm modules are imported only where the table says', () => {
    const wrong = files.flatMap((file) =>
      file.imports
        .filter((name) => !name.startsWith('src/'))
        .filter(
          (name) => !allowedFor(file, name.startsWith('node:') ? NODE_MODULES : PACKAGES).includes(name),
        )
        .map((name) => `${file.path} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('the program zester does not load the template engine: no other command than render and lint needs it', () => {
    const loaded = loadedBy('src/cli/main.ts');
    expect(loaded.length).toBeGreaterThan(100);
    const rooms = ['src/authoring/', 'src/modules/', 'src/peel/', 'src/master/', 'src/core/jinja/'];
    expect(loaded.filter((path) => rooms.some((room) => path.startsWith(room)))).toEqual([]);
  });

  it('the program zester-peel loads nothing that issues certificates or serves enrollments', () => {
    const loaded = loadedBy('src/peel/main.ts');
    expect(loaded.length).toBeGreaterThan(100);
    const rooms = ['src/trust/x509/', 'src/master/', 'src/client/', 'src/cli/'];
    expect(loaded.filter((path) => rooms.some((room) => path.startsWith(room)))).toEqual([]);
  });

  it('there are no import cycles', () => {
    const byPath = new Map(files.map((file) => [file.path, file]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      if (done.has(path) || trail.includes(path)) return;
      for (const next of valueImports(byPath.get(path))) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const file of files) visit(file.path, []);
    expect(cycles).toEqual([]);
  });
});

/** A file and whatever it loads. */
function loadedBy(program: string): readonly string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const next of valueImports(byPath.get(path))) load(next);
  };
  load(program);
  return [...loaded];
}

function ownImports(file: SourceFile): string[] {
  return file.imports.filter((path) => path.startsWith('src/'));
}

/** `import type` is erased and cannot close a cycle. */
function valueImports(file: SourceFile | undefined): string[] {
  if (file === undefined) return [];
  const code = file.code.replace(/import type [^;]*;/g, '');
  return ownImports(file).filter((path) => code.includes(`${path.split('/').at(-1)}'`));
}

function allowedFor(
  file: SourceFile,
  table: readonly (readonly [string, readonly string[]])[],
): readonly string[] {
  const rows = table.filter(([prefix]) => file.path.startsWith(prefix));
  return rows.sort((a, b) => b[0].length - a[0].length)[0]?.[1] ?? [];
}
