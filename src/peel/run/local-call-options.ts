/** Reads the command line of `zester-peel call`: one function on this machine, without any NATS. Nothing is guessed. */
import { zesterError } from '../../core/errors/zester-error.ts';
import { readOptionWords, separateWords } from '../../runtime/option-words.ts';
import { DEFAULT_STATES_DIR } from '../peel-options.ts';

export interface LocalCallOptions {
  readonly functionName: string;
  /** The bare argument; empty when there is none. */
  readonly id: string;
  readonly args: Readonly<Record<string, string>>;
  readonly dryRun: boolean;
  readonly statesDir: string;
  readonly settingsDir: string | undefined;
  /** Taken for the facts of the machine, instead of looking. */
  readonly factsFile: string | undefined;
  readonly dataDir: string;
  /** Undefined: the name of the machine. */
  readonly machineName: string | undefined;
  readonly format: 'text' | 'json';
}

export type LocalCallCommand = { readonly show: 'help' } | { readonly call: LocalCallOptions };

/** Not that of a peel that runs as a service: its undo journal has another key. */
const DATA_DIR = '/var/lib/zester/local';
const VALUES = ['states', 'settings', 'facts', 'data-dir', 'id', 'format'] as const;
const SWITCHES = ['local', 'test', 'help'] as const;

export const LOCAL_CALL_HELP = `zester-peel call --local: runs one function on this machine, without a master.

Examples:
  zester-peel call --local state.apply web --states ./states --settings ./settings --test
  zester-peel call --local state.apply web --states ./states --facts web-01.yaml --format json
  zester-peel call --local cmd.run uptime

Options:
  --local          needed: it says that no master is asked
  --states DIR     state files; default ${DEFAULT_STATES_DIR}
  --settings DIR   a settings tree with top.zy, or YAML files that are merged in the order of their names
  --facts FILE     facts as YAML or JSON, taken instead of those of the machine
  --id NAME        what the machine is called; default its host name
  --data-dir DIR   where the undo journal is kept; default ${DATA_DIR}
  --test           a dry run: says what would change
  --format FORMAT  text or json; default text
  --help           show this

Exit codes: 0 all went well, 1 it could not be done, 2 something failed, 130 interrupted.
`;

const FUNCTION = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/i;
const KEY_VALUE = /^([a-z_][a-z0-9_-]*)=([\s\S]*)$/i;

export function parseLocalCall(words: readonly string[]): LocalCallCommand {
  const { options, others } = separateWords(words, VALUES);
  const given = readOptionWords(options, { values: VALUES, switches: SWITCHES }, usage);
  if (given.has('help')) return { show: 'help' };
  if (!given.has('local')) throw usage('call needs --local; with a master, use the program zester');
  const [functionName, ...rest] = others;
  if (functionName === undefined) throw usage('call needs a function, such as state.apply');
  if (!FUNCTION.test(functionName)) throw usage(`${functionName} is not a function such as state.apply`);
  const format = given.get('format') ?? 'text';
  if (format !== 'text' && format !== 'json') throw usage(`option --format is text or json, not ${format}`);
  return {
    call: {
      functionName,
      ...argumentsIn(functionName, rest),
      dryRun: given.has('test'),
      statesDir: given.get('states') ?? DEFAULT_STATES_DIR,
      settingsDir: given.get('settings'),
      factsFile: given.get('facts'),
      dataDir: given.get('data-dir') ?? DATA_DIR,
      machineName: given.get('id'),
      format,
    },
  };
}

function argumentsIn(functionName: string, words: readonly string[]): Pick<LocalCallOptions, 'id' | 'args'> {
  const args: Record<string, string> = {};
  const bare: string[] = [];
  for (const word of words) {
    const [, key, value] = KEY_VALUE.exec(word) ?? [];
    if (key === undefined || value === undefined) bare.push(word);
    else if (Object.hasOwn(args, key)) throw usage(`${key} is given twice`);
    else args[key] = value;
  }
  if (bare.length > 1)
    throw usage(`${functionName} takes one argument, not also ${bare[1]}; put it in quotes`);
  return { id: bare[0] ?? '', args };
}

function usage(problem: string) {
  return zesterError('PEEL_USAGE', { problem });
}
