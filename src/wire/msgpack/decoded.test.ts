import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { peelHeartbeatCodec } from '../records/heartbeat.ts';
import { jobCodec } from '../records/job.ts';
import { decoded } from './decoded.ts';

describe('decoded', () => {
  it('gives the record of its own bytes', () => {
    const beat = peelHeartbeatCodec.create({ version: '1' });
    const bytes = peelHeartbeatCodec.encode(beat);
    expect(decoded(peelHeartbeatCodec, bytes)).toEqual({ isReadable: true, value: beat });
  });

  it('answers for whatever bytes there are, and names the record that they are not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const read = decoded(jobCodec, bytes);
        if (!read.isReadable) expect(read.problem).toMatch(/^Job/);
      }),
    );
  });

  it('does not hide a bug', () => {
    const broken = {
      decode(): never {
        throw new TypeError('a bug');
      },
    };
    expect(() => decoded(broken, new Uint8Array())).toThrow('a bug');
  });
});
