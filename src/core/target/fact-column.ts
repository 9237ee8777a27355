/**
 * A fact column caches the values of one fact path, or one tag, over all peels of an index. Most fleets have few different answers
 * to one question, so answers are numbered, and a matcher judges each answer once instead of each peel. Filled peel by
 * peel as it is asked, so nobody ever waits for the whole of it.
 *
 * Safety: what is remembered counts only for the serial of the entry it was read from, and every put has a new serial.
 * So a column cannot be stale, also when nobody told it of a change.
 *
 * Limits: `ANSWERS_MAX` numbered answers; an answer above is remembered with the peel; one of more than
 * `ANSWER_CHARS_MAX` characters is read from the facts each time. 12 to 20 bytes for each peel, and the texts.
 */
const ANSWERS_MAX = 4_096;
const ANSWER_CHARS_MAX = 256;

/** The peel has nothing under the path. */
const MISSING = 0;
/** The answer is remembered with the peel. */
const OWN = 1;
/** The answer is not remembered. */
const LONG = 2;

export interface ColumnEntry {
  readonly slot: number;
  readonly serial: number;
}

type Answer = readonly string[];
const NOTHING: Answer = [];

export class FactColumn<E extends ColumnEntry> {
  private readonly read: (entry: E) => Answer | undefined;
  /** By number; the first ones are taken by the constants above. */
  private readonly answers: Answer[] = [NOTHING, NOTHING, NOTHING];
  private readonly numbers = new Map<string, number>();
  /** By slot: the number of the answer, the serial it was read from, and the answer where it has no number. */
  private numberAt = new Uint32Array(0);
  private serialAt = new Float64Array(0);
  private readonly ownAt: Answer[] = [];

  /** `read`: the values of a peel; undefined when it has nothing there. */
  constructor(read: (entry: E) => Answer | undefined) {
    this.read = read;
  }

  /** A predicate over entries; `test` takes the values of a peel that has the fact, and must always say the same. */
  judge(test: (values: Answer) => boolean): (entry: E) => boolean {
    const verdicts: (boolean | undefined)[] = [false];
    return (entry) => {
      const number = this.numberOf(entry);
      if (number === OWN) return test(this.ownAt[entry.slot] ?? NOTHING);
      if (number === LONG) return test(this.read(entry) ?? NOTHING);
      const known = verdicts[number];
      if (known !== undefined) return known;
      const verdict = test(this.answers[number] ?? NOTHING);
      verdicts[number] = verdict;
      return verdict;
    };
  }

  private numberOf(entry: E): number {
    const { slot, serial } = entry;
    if (this.serialAt[slot] === serial) return this.numberAt[slot] ?? MISSING;
    if (slot >= this.numberAt.length) this.grow(slot + 1);
    const answer = this.read(entry);
    const number = answer === undefined ? MISSING : this.enter(answer);
    if (number === OWN && answer !== undefined) this.ownAt[slot] = answer;
    this.numberAt[slot] = number;
    this.serialAt[slot] = serial;
    return number;
  }

  private enter(answer: Answer): number {
    const key = keyOf(answer);
    if (key === undefined) return LONG;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    if (this.answers.length >= ANSWERS_MAX) return OWN;
    this.numbers.set(key, this.answers.length);
    return this.answers.push(answer) - 1;
  }

  private grow(slots: number): void {
    const room = Math.max(1_024, slots, 2 * this.numberAt.length);
    const numberAt = new Uint32Array(room);
    numberAt.set(this.numberAt);
    // No entry has a negative serial.
    const serialAt = new Float64Array(room).fill(-1);
    serialAt.set(this.serialAt);
    this.numberAt = numberAt;
    this.serialAt = serialAt;
  }
}

/** Different for different answers; undefined for what is too long to keep. The common answer is one text: it is its own key. */
function keyOf(answer: Answer): string | undefined {
  const [value] = answer;
  if (answer.length > ANSWER_CHARS_MAX) return undefined;
  const key =
    answer.length === 1 && value !== undefined && !value.startsWith('[') ? value : JSON.stringify(answer);
  return key.length > ANSWER_CHARS_MAX ? undefined : key;
}
