import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayHaveStatus, parseHeaderBlock } from './header-block.ts';

const block = (...lines: string[]) => [...lines, '', ''].join('\r\n');

describe('parseHeaderBlock', () => {
  it('reads names and values, the last of a name', () => {
    const { headers, status } = parseHeaderBlock(block('NATS/1.0', 'A: 1', 'B:2', 'A: 3'), undefined);
    expect([...headers]).toEqual([
      ['A', '3'],
      ['B', '2'],
    ]);
    expect(status).toBeUndefined();
  });

  it('takes the status of what the server says', () => {
    expect(parseHeaderBlock(block('NATS/1.0 404 Message Not Found'), undefined)).toMatchObject({
      status: 404,
      statusText: 'Message Not Found',
    });
    expect(parseHeaderBlock(block('NATS/1.0 503'), '_INBOX.x')).toMatchObject({ status: 503 });
  });

  it('does not take a status out of a stored message, read or delivered', () => {
    const stored = block('NATS/1.0 404 gone', 'Nats-Stream: KV_facts', 'Nats-Sequence: 7');
    expect(parseHeaderBlock(stored, undefined).status).toBeUndefined();
    expect(parseHeaderBlock(block('NATS/1.0 503 x'), '$JS.ACK.S.C.1.2.3.4.5').status).toBeUndefined();
  });

  it('finds no status where the first bytes say that there is none, so that nothing has to be parsed for it', () => {
    const first = fc.oneof(
      fc.constantFrom('NATS/1.0', 'NATS/1.0 404 x', 'NATS/1.0  503', 'NATS/1.0x', 'NATS/1.0 40'),
      fc.string(),
    );
    fc.assert(
      fc.property(first, (line) => {
        const text = block(line, 'A: 1');
        if (!mayHaveStatus(Buffer.from(text)))
          expect(parseHeaderBlock(text, undefined).status).toBeUndefined();
      }),
    );
    expect(mayHaveStatus(Buffer.from(block('NATS/1.0', 'A: 1')))).toBe(false);
    expect(mayHaveStatus(Buffer.from(block('NATS/1.0 503')))).toBe(true);
  });

  it('never fails, whatever the bytes say', () => {
    expect(
      parseHeaderBlock('NATS/1.0\r\nbad name: x\r\n: y\r\nnone\r\n\r', undefined).headers.get('bad name'),
    ).toBe('x');
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (text, reply) => {
        expect(parseHeaderBlock(text, reply).headers).toBeInstanceOf(Map);
      }),
    );
  });
});
