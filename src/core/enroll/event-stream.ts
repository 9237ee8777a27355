/**
 * `EventStream` takes server-sent events apart, as they come in pieces. Comments keep a line open and are skipped. A line or an
 * event that is longer than it may be makes the stream useless: `push` then answers undefined, now and ever after, and the reader
 * hangs up.
 */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

const LINE_CHARS_MAX = 16_384;
const EVENT_CHARS_MAX = 65_536;
/** An event without a name, by the specification of event streams. */
const UNNAMED = 'message';

export class EventStream {
  private rest = '';
  private event = UNNAMED;
  private data: string[] = [];
  private chars = 0;
  private isBroken = false;

  push(piece: string): readonly StreamEvent[] | undefined {
    if (this.isBroken) return undefined;
    const events: StreamEvent[] = [];
    const lines = (this.rest + piece).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.length > LINE_CHARS_MAX) return this.give();
      const ended = this.take(line.endsWith('\r') ? line.slice(0, -1) : line);
      if (this.chars > EVENT_CHARS_MAX) return this.give();
      if (ended !== undefined) events.push(ended);
    }
    return this.rest.length > LINE_CHARS_MAX ? this.give() : events;
  }

  private give(): undefined {
    this.isBroken = true;
    return undefined;
  }

  private take(line: string): StreamEvent | undefined {
    if (line === '') return this.endEvent();
    const colon = line.indexOf(':');
    if (colon === 0) return undefined;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.event = value;
    if (field === 'data') this.data.push(value);
    this.chars += line.length;
    return undefined;
  }

  private endEvent(): StreamEvent | undefined {
    const { event, data } = this;
    this.event = UNNAMED;
    this.data = [];
    this.chars = 0;
    return data.length === 0 ? undefined : { event, data: data.join('\n') };
  }
}
