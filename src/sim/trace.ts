/**
 * What happened, twice: a digest of every message, which two runs of one seed must share, and a timeline for people, of
 * which the last part is kept.
 */
const NOTES_KEPT = 5_000;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export interface TimelineEntry {
  readonly atMs: number;
  readonly who: string;
  readonly what: string;
}

export class Trace {
  readonly timeline: TimelineEntry[] = [];
  private readonly nowMs: () => number;
  private hash = FNV_OFFSET;
  private events = 0;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  note(who: string, what: string): void {
    this.mix(`${this.nowMs()} ${who} ${what}`);
    this.keep(who, what);
  }

  /** A log line of the product: shown, and not part of the digest, because its level can be chosen. */
  logged(who: string, line: string): void {
    this.keep(who, line.trimEnd());
  }

  count(what: string, data: Uint8Array): void {
    this.events += 1;
    this.mix(`${this.nowMs()} ${what}`);
    for (const byte of data) this.hash = Math.imul(this.hash ^ byte, FNV_PRIME);
  }

  digest(): string {
    return `${this.events}-${(this.hash >>> 0).toString(16).padStart(8, '0')}`;
  }

  get eventCount(): number {
    return this.events;
  }

  private mix(text: string): void {
    for (let i = 0; i < text.length; i++) this.hash = Math.imul(this.hash ^ text.charCodeAt(i), FNV_PRIME);
  }

  private keep(who: string, what: string): void {
    this.timeline.push({ atMs: this.nowMs(), who, what });
    if (this.timeline.length > 2 * NOTES_KEPT) this.timeline.splice(0, NOTES_KEPT);
  }
}
