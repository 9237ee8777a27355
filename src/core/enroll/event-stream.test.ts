import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventStream } from './event-stream.ts';

const TEXT =
  ': beat\n\nevent: state\ndata: {"a":1}\n\nevent:timeout\r\ndata: x\r\ndata: y\r\n\r\ndata\n\nid: 7\n\n';

describe('server-sent events', () => {
  it('come out the same however they are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 })), (lengths) => {
        const stream = new EventStream();
        const events = [];
        let rest = TEXT;
        for (const length of [...lengths, TEXT.length]) {
          events.push(...(stream.push(rest.slice(0, length)) ?? []));
          rest = rest.slice(length);
        }
        expect(events).toEqual([
          { event: 'state', data: '{"a":1}' },
          { event: 'timeout', data: 'x\ny' },
          { event: 'message', data: '' },
        ]);
      }),
    );
  });

  it('a line without an end, a long line and an endless event break it for good', () => {
    const endless = new EventStream();
    for (let i = 0; i < 16; i++) expect(endless.push('x'.repeat(1_024))).toEqual([]);
    expect(endless.push('x')).toBeUndefined();
    expect(endless.push('\n\nevent: state\ndata: x\n\n')).toBeUndefined();
    expect(new EventStream().push(`data: ${'x'.repeat(16_384)}\n`)).toBeUndefined();
    expect(new EventStream().push('data: 0123456789\n'.repeat(5_000))).toBeUndefined();
    // Comments are not kept.
    expect(new EventStream().push(': beat\n'.repeat(50_000))).toEqual([]);
  });
});
