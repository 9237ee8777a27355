/** Reads the command line of `zester-peel join`. Nothing is guessed: a pin that is none must not mean "no pin". */
import { parseDuration } from '../../core/duration.ts';
import { type DoorUrl, parseDoorUrls } from '../../core/enroll/door-url.ts';
import { peelIdOfWord } from '../../core/enroll/machine-name.ts';
import { parsePin } from '../../core/enroll/trust-ladder.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { readOptionWords, separateWords } from '../../runtime/option-words.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { PEEL_HOME, peelAuthDir } from '../data-dir.ts';

export interface JoinOptions {
  readonly doors: readonly DoorUrl[];
  readonly pins: readonly string[];
  readonly caFile: string | undefined;
  readonly strict: boolean;
  readonly id: PeelId | undefined;
  readonly token: { readonly text: string } | { readonly file: string } | undefined;
  readonly authDir: string;
  /** Where it is, as was said: other commands of this machine must be told the same. */
  readonly place: readonly (readonly [option: string, path: string])[];
  readonly releaseKey: string | undefined;
  /** Undefined: five minutes to reach a master, and as long as it takes to be approved. */
  readonly timeoutMs: number | undefined;
  /** Join anew although this machine has credentials. */
  readonly again: boolean;
}

export type JoinCommand = { readonly show: 'help' } | { readonly join: JoinOptions };

const VALUES = [
  'pin',
  'ca',
  'trust',
  'id',
  'token',
  'token-file',
  'auth-dir',
  'data-dir',
  'release-key',
  'timeout',
] as const;
const SWITCHES = ['again', 'help'] as const;
const PINS_MAX = 8;

export const JOIN_HELP = `zester-peel join: makes this machine a peel of a fleet.

Examples:
  zester-peel join https://master:8443 --pin sha256:…          (\`zester ca fingerprint\` on a master prints the pin)
  zester-peel join https://m1:8443,https://m2:8443 --pin sha256:… --token-file /run/join-token --id web-01

It makes a key that never leaves this machine, asks a master to be let in, waits until an operator has approved it (or a join
token did), and writes credentials. Then \`zester-peel\` runs without further options. It can be stopped and run again at any time.

Options:
  --pin PIN[,PIN…]     the fingerprint that the CA of the fleet must have; another one ends the join before anything is sent
  --ca FILE            the CA that a master's certificate must come from, instead of a pin or besides it
  --trust MODE         first-use: where neither is given, and the system does not know the CA, trust the one that is shown;
                       strict: do not. Default first-use
  --id NAME            what the machine is called; default its host name, with _ for dots. Pinned at the first join
  --token-file FILE    a join token, which approves the machine without an operator
  --token TOKEN        the same on the command line, where other users of this machine can see it
  --auth-dir DIR       where key, credentials and CA are kept; default auth in the data directory
  --data-dir DIR       the data directory of the peel; default ${PEEL_HOME}
  --release-key PIN    the fingerprint of the key that releases must be signed with; pinned on this machine
  --timeout TIME       give up after this long, such as 90s; default 5m to reach a master, and no limit for the approval
  --again              join anew, although this machine has joined already, or was revoked
  --help               show this

A machine that has credentials asks a master whether they still count: one that was revoked is told so.

Exit codes: 0 joined; 1 refused, revoked, or something does not fit; 3 no master reached, or no approval, in time; 130 interrupted.
`;

export function parseJoinOptions(words: readonly string[]): JoinCommand {
  const { options, others } = separateWords(words, VALUES);
  const given = readOptionWords(options, { values: VALUES, switches: SWITCHES }, usage);
  if (given.has('help')) return { show: 'help' };
  const [urls, extra] = others;
  if (urls === undefined) throw usage('it needs the address of a master, such as https://master:8443');
  if (extra !== undefined) throw usage('it takes one argument; put a comma between several addresses');
  const doors = parseDoorUrls(urls);
  if (doors === undefined)
    throw usage(`${urls} is no address such as https://master:8443, or too many of them`);
  const mode = given.get('trust') ?? 'first-use';
  if (mode !== 'strict' && mode !== 'first-use')
    throw usage(`option --trust is strict or first-use, not ${mode}`);
  const dataDir = given.get('data-dir') ?? PEEL_HOME;
  return {
    join: {
      doors,
      pins: pinsOf(given.get('pin')),
      caFile: given.get('ca'),
      strict: mode === 'strict',
      id: idOf(given.get('id')),
      token: tokenOf(given),
      authDir: given.get('auth-dir') ?? peelAuthDir(dataDir),
      place: (['data-dir', 'auth-dir'] as const).flatMap((name) => {
        const path = given.get(name);
        return path === undefined ? [] : [[name, path] as const];
      }),
      releaseKey: releaseKeyOf(given.get('release-key')),
      timeoutMs: timeoutOf(given.get('timeout')),
      again: given.has('again'),
    },
  };
}

function pinsOf(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const pins = text.split(',').map((part) => {
    const pin = parsePin(part);
    if (pin === undefined) throw usage('option --pin is sha256: and 64 hexadecimal digits');
    return pin;
  });
  if (pins.length > PINS_MAX) throw usage(`option --pin takes at most ${PINS_MAX} pins`);
  return pins;
}

function releaseKeyOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const pin = parsePin(text);
  if (pin === undefined) throw usage('option --release-key is sha256: and 64 hexadecimal digits');
  return pin;
}

function idOf(word: string | undefined): PeelId | undefined {
  if (word === undefined) return undefined;
  const peelId = peelIdOfWord(word);
  if (peelId === undefined)
    throw usage('option --id is a name of letters, digits, - and _, or a host name with dots instead of _');
  return peelId;
}

/** Never repeated in an error. */
const TOKEN = /^tok-[0-9A-Za-z]{27}\.[\x21-\x7e]{8,512}$/;

export function parseToken(text: string): string {
  const token = text.trim();
  if (!TOKEN.test(token)) throw usage('that is no join token: it begins with tok- and has a dot in it');
  return token;
}

function tokenOf(given: Pick<ReadonlyMap<string, string>, 'get'>): JoinOptions['token'] {
  const [text, file] = [given.get('token'), given.get('token-file')];
  if (text !== undefined && file !== undefined) throw usage('it takes --token or --token-file, not both');
  if (text !== undefined) return { text: parseToken(text) };
  return file === undefined ? undefined : { file };
}

function timeoutOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms === undefined) throw usage(`option --timeout is a duration such as 90s, not ${text}`);
  return ms;
}

function usage(problem: string) {
  return zesterError('JOIN_USAGE', { problem });
}
