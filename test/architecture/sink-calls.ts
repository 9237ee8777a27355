/**
 * A sink call is a place in the code through which bytes leave a process: a call of our ports that write, send or start
 * something, what Node itself offers for that, and the terminal. sinks.ts says for each file how no secret gets there.
 *
 * It reads text, not types: a call is known by the name of its method, so that a method of the same name on something else
 * counts too, unless what it is called on is listed here. That errs on the safe side.
 */
import { type SourceFile, sourceFiles } from './source-files.ts';

/** Where the ports are declared, and what each of their methods does with bytes. */
export const PORTS: readonly {
  readonly path: string;
  readonly lettingOut: readonly string[];
  /** They look, wait, remove, or set what has no bytes of ours. A method is on one list of one port: names mean one thing. */
  readonly others: readonly string[];
}[] = [
  {
    path: 'src/bus/port.ts',
    lettingOut: [
      'publish',
      'request',
      'append',
      'appendAt',
      'put',
      'create',
      'update',
      'api',
      'tryApi',
      'term',
    ],
    others: [
      ...['status', 'onStatus', 'connected', 'server', 'subscribe', 'unsubscribe', 'drain', 'close'],
      ...[
        'bucket',
        'objects',
        'stream',
        'onRepeat',
        'get',
        'getLatest',
        'watchKeys',
        'watch',
        'stop',
        'dropLooseChunks',
      ],
      ...['delete', 'remove', 'erase', 'keys', 'entries', 'keysWithDeleted', 'byLastWrite', 'history'],
      ...['ack', 'nak', 'working', 'state', 'last', 'replay', 'consume'],
    ],
  },
  {
    path: 'src/bus/kv/table.ts',
    lettingOut: ['createOrRead', 'updateOrRead'],
    others: ['ids', 'idsWithDeleted', 'watchIds'],
  },
  { path: 'src/bus/connection.ts', lettingOut: [], others: ['onDenied', 'failure', 'flush'] },
  {
    path: 'src/system/files.ts',
    // Names are bytes too.
    lettingOut: ['writeAtomic', 'makeDirectory', 'symlink', 'hardLink', 'rename'],
    others: [
      ...['read', 'stat', 'lstat', 'list', 'walk', 'readLink', 'realPath'],
      ...['removeFile', 'removeDirectory', 'removeTree', 'chmod', 'chown', 'touch', 'sync', 'lock'],
    ],
  },
  { path: 'src/system/processes.ts', lettingOut: ['run'], others: ['endLeftover'] },
];

/** Rooms and folders whose code never runs where a secret is. */
export const WITHOUT_SECRETS: readonly (readonly [prefix: string, reason: string])[] = [
  ['src/wire/', 'pure: rooms.test.ts lets it import nothing of Node'],
  ['src/core/', 'pure: rooms.test.ts lets it import nothing of Node'],
  ['src/sim/', 'a program of its own, with a made-up fleet in memory'],
  ['src/bus/memory/', 'the server of the simulator and of tests'],
  ['src/system/memory/', 'the machine of the simulator and of tests'],
];

const PORT_CALL = new RegExp(
  `([\\w)\\]]+)\\??\\.(${PORTS.flatMap(({ lettingOut }) => lettingOut).join('|')})\\(`,
  'g',
);
/** Methods of the same name on what is no port: by what stands before the dot. */
const OTHER_RECEIVERS: Readonly<Record<string, RegExp>> = {
  create: /(?:[cC]odec|Object)$/,
  update: /(?:\)|cipher|hmac)$/,
  put: /(?:this|index)$/,
  publish: /this$/,
  // Only the port's: half of everything has a method `run`.
  run: /^(?!.*processes$)/,
};

/** Of Node, what lets bytes out; the rest of these modules only looks. */
const NODE_CALLS: Readonly<Record<string, RegExp>> = {
  'node:fs':
    /^(?:\*|append|copy|cp|createWriteStream|link|mkdir|mkdtemp|open|rename|symlink|write|truncate|ftruncate)/,
  'node:fs/promises': /^(?:\*|append|copy|cp|link|mkdir|mkdtemp|open|rename|symlink|write|truncate)/,
  'node:child_process': /./,
  'node:http': /./,
  'node:https': /./,
  'node:net': /^(?!isIP)/,
  'node:tls': /^(?!checkServerIdentity)/,
  'node:dgram': /./,
  'node:worker_threads': /./,
  'node:inspector': /./,
  'node:v8': /./,
  '@nats-io/transport-node': /^(?!\w*Error$)/,
};

const TERMINAL = /\bprocess\.(?:stdout|stderr|report|send|title|emitWarning)\b|\bconsole\.\w+|\bjsonLog\(/g;
/** Of Node; a file that declares a function of this name means its own. */
const FETCH = /(?<![.\w])fetch\(/;
const OWN_FETCH = /\bfunction fetch\(|\bfetch[:,]/;
/** How a command of `zester` prints: functions of its context. */
const PRINTING = /\b(?:out|say)\(/g;
const IMPORT = /import\s+(type\s+)?([^;]*?)\s+from\s+'([^']+)'/g;

export interface SinkFile {
  readonly path: string;
  /** Names, sorted: `publish`, `writeFileSync`. */
  readonly calls: readonly string[];
}

export function sinkFiles(): readonly SinkFile[] {
  return sourceFiles()
    .filter(({ path }) => !WITHOUT_SECRETS.some(([prefix]) => path.startsWith(prefix)))
    .map((file) => ({ path: file.path, calls: [...new Set(callsOf(file))].sort() }))
    .filter(({ calls }) => calls.length > 0);
}

/** The methods that the interfaces of a file declare. */
export function methodsIn(code: string): readonly string[] {
  const interfaces = [...code.matchAll(/^export interface [^{]*\{\n([\s\S]*?)^\}/gm)].map(([, body]) => body);
  const methods = [...interfaces.join('').matchAll(/^ {2}(\w+)(?:<\w+>)?\(/gm)].map(([, name = '']) => name);
  return [...new Set(methods)];
}

function callsOf(file: SourceFile): string[] {
  const code = file.code.replace(/^import[^;]*;/gm, '');
  return [...portCalls(code), ...nodeCalls(file), ...printing(file.path, code)];
}

function* portCalls(code: string): Generator<string> {
  for (const [, receiver = '', method = ''] of code.matchAll(PORT_CALL))
    if (!OTHER_RECEIVERS[method]?.test(receiver)) yield method;
}

function* nodeCalls(file: SourceFile): Generator<string> {
  for (const [, isType, names = '', module = ''] of file.code.matchAll(IMPORT)) {
    const letsOut = NODE_CALLS[module];
    if (isType !== undefined || letsOut === undefined) continue;
    const imported = names
      .replace(/[{}]/g, '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type ') && letsOut.test(name));
    for (const name of imported) yield name.replace(/^\* as | as .*/g, '');
  }
}

function* printing(path: string, code: string): Generator<string> {
  for (const [call] of code.matchAll(TERMINAL)) yield call.replace(/\($/, '');
  if (FETCH.test(code) && !OWN_FETCH.test(code)) yield 'fetch';
  if (path.startsWith('src/cli/'))
    for (const [call] of code.matchAll(PRINTING)) yield call.replace(/\($/, '');
}
