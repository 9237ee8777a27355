/**
 * Armor is labelled one-line blocks between BEGIN and END marks: the form of .creds files, also used for operator keys.
 * Text outside the blocks is for people and is ignored, but a mark that belongs to no complete block makes the whole
 * text invalid: that is what a file cut off in the middle looks like.
 */
export interface ArmorBlock {
  readonly label: string;
  readonly body: string;
}

const BLOCK = /^-----BEGIN ([A-Z ]+)-----\n([^\s-]\S*)\n-{5,6}END \1-{5,6}$/gm;
const MARK = /^---/gm;

/** NATS tools write six dashes around END; they are its own readers, so we do the same. */
export function formatArmor({ label, body }: ArmorBlock): string {
  return `-----BEGIN ${label}-----\n${body}\n------END ${label}------\n`;
}

/** The bodies of exactly these blocks in this order, or undefined. */
export function parseArmor(text: string, labels: readonly string[]): readonly string[] | undefined {
  const lines = text.replaceAll('\r\n', '\n');
  const blocks = [...lines.matchAll(BLOCK)];
  const marks = [...lines.matchAll(MARK)];
  const fits =
    marks.length === 2 * labels.length &&
    blocks.length === labels.length &&
    blocks.every(([, label], i) => label === labels[i]);
  return fits ? blocks.map(([, , body]) => body ?? '') : undefined;
}
