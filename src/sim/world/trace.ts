/**
 * A trace says what happened, twice: as a digest of every message, which two runs of one seed must share, and as a timeline
 * for people, of which the last part is kept.
 */
const NOTES_KEPT = 5_000;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** No character has this code. */
const TEXT_END = 0x10000;

export interface TimelineEntry {
  readonly atMs: number;
  readonly who: string;
  readonly what: string;
}

export class Trace {
  readonly timeline: TimelineEntry[] = [];
  private readonly nowMs: () => number;
  private readonly moment = new Float64Array(1);
  private readonly halves = new Uint32Array(this.moment.buffer);
  private hash = FNV_OFFSET;
  private events = 0;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  note(who: string, what: string): void {
    this.mixTime();
    this.mix(who);
    this.mix(what);
    this.keep(who, what);
  }

  /** A log line of the product: shown, and not part of the digest, because its level can be chosen. */
  logged(who: string, line: string): void {
    this.keep(who, line.trimEnd());
  }

  count(who: string, subject: string, data: Uint8Array): void {
    this.events += 1;
    this.mixTime();
    this.mix(who);
    this.mix(subject);
    for (let i = 0; i < data.length; i++) this.mixNumber(data[i] as number);
  }

  digest(): string {
    return `${this.events}-${(this.hash >>> 0).toString(16).padStart(8, '0')}`;
  }

  get eventCount(): number {
    return this.events;
  }

  /** Every bit of it, without the text of a fraction, which costs more than all the rest. */
  private mixTime(): void {
    this.moment[0] = this.nowMs();
    for (const half of this.halves) this.mixNumber(half);
  }

  private mix(text: string): void {
    for (let i = 0; i < text.length; i++) this.mixNumber(text.charCodeAt(i));
    this.mixNumber(TEXT_END);
  }

  private mixNumber(value: number): void {
    this.hash = Math.imul(this.hash ^ value, FNV_PRIME);
  }

  private keep(who: string, what: string): void {
    this.timeline.push({ atMs: this.nowMs(), who, what });
    if (this.timeline.length > 2 * NOTES_KEPT) this.timeline.splice(0, NOTES_KEPT);
  }
}
