/**
 * Canaries are the values of secrets in the simulation. Each holds one long word that occurs nowhere else, so that a
 * secret is found in any bytes by looking for that word: as it is, in base64 at each of its three alignments, in
 * hexadecimal digits. The word is letters and digits, which no escaping changes; around it stand characters that
 * escaping does change.
 */

/** The word; nothing else in a run is spelled like it. */
const WORD = 'CanaryQ7zX4vLm2Kd';
const CANARY = new RegExp(`${WORD}\\.([a-z]+)\\.(\\d+)`, 'g');

export interface SimCanary {
  /** Which secret: its path in the settings. */
  readonly secret: string;
  /** Of the settings in which it was set. */
  readonly version: number;
}

/** One line, or two: then both lines are secret. */
export function canaryText({ secret, version }: SimCanary, lines: 1 | 2): string {
  const line = `${WORD}.${secret}.${version}`;
  return lines === 1 ? `"${line}" & <co>` : `first ${line}\nsecond ${line}`;
}

/** Those that can be read in a text. */
export function canariesIn(text: string): SimCanary[] {
  return [...text.matchAll(CANARY)].map(([, secret = '', version]) => ({ secret, version: Number(version) }));
}

const FORMS: readonly { readonly name: string; readonly bytes: Buffer }[] = [
  { name: 'as it is', bytes: Buffer.from(WORD) },
  ...[0, 1, 2].map((before) => ({ name: 'in base64', bytes: base64Inside(before) })),
  { name: 'in hexadecimal', bytes: Buffer.from(Buffer.from(WORD).toString('hex')) },
  { name: 'in hexadecimal', bytes: Buffer.from(Buffer.from(WORD).toString('hex').toUpperCase()) },
];

/** In which form a secret is in the bytes; undefined: in none. */
export function findCanary(bytes: Uint8Array): string | undefined {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return FORMS.find((form) => all.indexOf(form.bytes) >= 0)?.name;
}

/** What base64 makes of the word after so many bytes, without the digits that hang on its neighbours. */
function base64Inside(before: number): Buffer {
  const text = Buffer.concat([Buffer.alloc(before), Buffer.from(WORD)]).toString('base64');
  const from = Math.ceil((before * 8) / 6);
  const to = Math.floor(((before + WORD.length) * 8) / 6);
  return Buffer.from(text.slice(from, to));
}
