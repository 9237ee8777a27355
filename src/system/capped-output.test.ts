import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CappedOutput } from './capped-output.ts';

it('CappedOutput keeps the first bytes and counts all others, however they are cut into pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), fc.nat(100), (pieces, bytesMax) => {
      const whole = Buffer.concat(pieces);
      const capped = new CappedOutput(bytesMax);
      pieces.forEach(capped.take);
      const { bytes, bytesDropped } = capped.output();
      expect(Buffer.from(bytes).equals(whole.subarray(0, bytesMax))).toBe(true);
      expect(bytesDropped).toBe(Math.max(0, whole.length - bytesMax));
    }),
  );
});
