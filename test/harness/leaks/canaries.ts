/**
 * `plantedCanaries` makes the secrets of one run of the leak test: all kinds that people have, each random, so that finding one
 * anywhere means that it got there. The controls beside them are no secrets: where one is found, a secret would have been.
 */
import { systemRandom } from '../../../src/runtime/system-random.ts';
import type { Canary } from './leak-scanner.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const TOKEN_CHARACTERS = 3_000;
const PEM_LINES = 12;
const PEM_LINE_CHARACTERS = 64;

/** By the name under which the settings have it. */
export interface PlantedCanaries {
  readonly short: string;
  readonly long: string;
  readonly digits: string;
  /** Every mark that some program escapes. */
  readonly quotes: string;
  readonly unicode: string;
  /** As a private key, of several lines. */
  readonly pem: string;
  /** One line, longer than a message shows of a value: whoever cuts it must not leave a piece. */
  readonly token: string;
  /** Stands in a list. */
  readonly listed: string;
  /** Lies sealed in the source tree, put there by `zester secret set`. */
  readonly sealed: string;
  /** Before its rotation, and after. */
  readonly former: string;
  readonly later: string;
  /** In files that must not be published. */
  readonly refused: string;
  /** Of the peel that the web servers do not see. */
  readonly database: string;
  /** A fact that an operator sets. */
  readonly fact: string;
}

export interface Controls {
  /** A plain setting. */
  readonly setting: string;
  /** A word on the command line. */
  readonly typed: string;
}

export function plantedCanaries(): { readonly secrets: PlantedCanaries; readonly controls: Controls } {
  const body = Array.from({ length: PEM_LINES }, () => random(PEM_LINE_CHARACTERS));
  const kind = random(8);
  const pem = [`---BEGIN ${kind}---`, ...body, `---END ${kind}---`, ''].join('\n');
  const [a, b, c, d] = [random(5), random(5), random(5), random(5)];
  return {
    secrets: {
      short: `~${random(4)}^`,
      long: random(40),
      // A zero in front would be another number.
      digits: `9${random(11, '0123456789')}`,
      quotes: withLettersBetween('"\'`\\$&<> %+=:;{}[]|#!?*'),
      unicode: `pä${a}ß-${b}漢字${c}\u{1f511}${d}`,
      pem,
      token: random(TOKEN_CHARACTERS),
      listed: random(24),
      sealed: random(32),
      former: random(28),
      later: random(28),
      refused: random(30),
      database: random(30),
      fact: random(30),
    },
    controls: { setting: `setting-${random(20)}`, typed: `typed-${random(20)}` },
  };
}

export function canaryList(values: PlantedCanaries | Controls): readonly Canary[] {
  return Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));
}

/** No stretch of it is without letters of chance, which no other text has. */
function withLettersBetween(marks: string): string {
  return [...marks].map((mark, at) => (at % 3 === 2 ? mark + random(4) : mark)).join('') + random(4);
}

function random(count: number, alphabet: string = LETTERS): string {
  return Array.from(systemRandom.bytes(count), (byte) => alphabet[byte % alphabet.length]).join('');
}
