/**
 * The state `cmd.script` runs a script from the state tree on the machine, once. It is written into a directory of its
 * own that only the user who runs it can enter, and removed afterwards, whatever it did.
 *
 * Killed in between: the directory stays, nothing runs it again, and the next start of the peel takes it away
 * (`removeLeftScripts`): a template may have put secrets into it. After a call without a peel it stays for good. Twice: the
 * script runs twice, unless `creates` names what the first run made.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { CONVERSIONS } from '../../core/params/param-values.ts';
import { optional, required } from '../../core/params/params.ts';
import type { FileOwner, Files } from '../../system/files.ts';
import type { System } from '../../system/system.ts';
import type { WireValue } from '../../wire/msgpack/wire-value.ts';
import { readSource } from '../file/source.ts';
import { renderedBytes, TEMPLATE_PARAMS } from '../file/template.ts';
import { type ActContext, stateModule } from '../state-contract.ts';
import { type CommandOutcome, guardsAsCommand, runCommandLine } from './run-command-line.ts';
import { COMMAND_STATE_PARAMS, planCommand } from './run-state.ts';

export const cmdScript = stateModule({
  name: 'cmd.script',
  summary: 'Runs a script from the state tree, every time unless it is told when not to.',
  description: [
    'It is run as a program: its first line, such as #!/bin/bash, says by what; without one by /bin/sh.',
    'The copy on the machine lies in /tmp while it runs, for the user who runs it alone.',
    'Exit codes, output and dry runs are as with cmd.run.',
  ].join('\n'),
  params: {
    name: required('string', { primary: true, doc: 'The script, where source does not say it.' }),
    source: optional('string', {
      doc: 'Where the script is: zester://path or salt://path of the state tree, or an absolute path of the machine.',
    }),
    args: optional('any', {
      doc: 'Its arguments: a list, each as it stands, or a text that the shell takes apart.',
    }),
    ...TEMPLATE_PARAMS,
    ...COMMAND_STATE_PARAMS,
  },
  examples: [
    'install agent:\n  cmd.script:\n    - source: zester://agent/install.sh\n    - args: [--prefix, /opt/agent]\n    - creates: /opt/agent/bin/agent\n',
    'salt://db/seed.py:\n  cmd.script:\n    - template: jinja\n    - context:\n        database: shop\n    - runas: postgres\n',
  ],
  guardsRun: guardsAsCommand,
  async plan(values, context) {
    const from = values.source ?? values.name;
    const words = wordsOf(values.args ?? []);
    const bytes = await renderedBytes(await readSource([from], context), values, context);
    return planCommand('cmd.script', values, context, {
      shown: [from, ...words].join(' '),
      run: (goodExitCodes, act) =>
        withScript(bytes, values.user, act, (path) =>
          runCommandLine({ shell: [quoted(path), ...words].join(' ') }, values, act, goodExitCodes),
        ),
    });
  },
});

/** As they stand in a shell command. */
function wordsOf(args: WireValue): readonly string[] {
  if (typeof args === 'string') return [args];
  const texts = CONVERSIONS['string-list'].convert(args);
  if (texts !== undefined) return texts.map(quoted);
  throw zesterError('MODULE_BAD_ARGUMENTS', {
    function: 'cmd.script',
    problems: 'args must be a list of texts, or a text',
  });
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

async function withScript(
  bytes: Uint8Array,
  user: string | undefined,
  { jid, system }: ActContext,
  run: (path: string) => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  const owner = await ownerFor(user, system);
  const directory = await ownDirectory(jid, owner, system);
  try {
    const path = `${directory}/script`;
    await system.files.writeAtomic(path, bytes, { mode: 0o700, ...owner, skipSync: true });
    return await run(path);
  } finally {
    await system.files.removeTree(directory);
  }
}

async function ownerFor(user: string | undefined, system: System): Promise<FileOwner> {
  const account = user === undefined ? undefined : await system.accounts.user(user);
  return account === undefined ? {} : { uid: account.uid, gid: account.gid };
}

/** Everybody can enter it: the script may run as anybody. */
const PLACE = '/tmp';
const ATTEMPTS_MAX = 1_000;

function prefixOf(jid: string): string {
  return `zester-script-${jid}-`;
}

/** Those of a job that was killed. */
export async function removeLeftScripts(files: Files, jid: string): Promise<void> {
  const names = (await files.list(PLACE)) ?? [];
  for (const name of names.filter((each) => each.startsWith(prefixOf(jid))))
    await files.removeTree(`${PLACE}/${name}`);
}

/**
 * /tmp belongs to everybody: only a directory that we made ourselves is used, and making one fails where anything is.
 * A name that is taken, by a script beside this one or by somebody on purpose, is passed over.
 */
async function ownDirectory(jid: string, owner: FileOwner, { files }: System): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const path = `${PLACE}/${prefixOf(jid)}${attempt}`;
    if ((await files.lstat(path)) !== undefined) continue;
    if (await files.makeDirectory(path, { mode: 0o700, ...owner })) return path;
  }
  const reason = `${ATTEMPTS_MAX} names in /tmp are taken`;
  throw zesterError('PROCESS_START_FAILED', { program: 'a script', reason, errno: 'EEXIST' });
}
