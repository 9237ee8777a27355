import { describe, expect, it } from 'vitest';
import { peelHeartbeatCodec } from '../records/heartbeat.ts';
import { tryEncode } from './try-encode.ts';

describe('tryEncode', () => {
  it('gives the bytes, or nothing for what the contract refuses', () => {
    const beat = peelHeartbeatCodec.create({ version: '1' });
    expect(tryEncode(() => peelHeartbeatCodec.encode(beat))).toEqual(peelHeartbeatCodec.encode(beat));
    const endless = { ...beat, protocol: Number.NaN };
    expect(tryEncode(() => peelHeartbeatCodec.encode(endless))).toBeUndefined();
  });

  it('does not hide a bug', () => {
    const encode = () => {
      throw new TypeError('a bug');
    };
    expect(() => tryEncode(encode)).toThrow('a bug');
  });
});
