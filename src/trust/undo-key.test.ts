import { describe, expect, it } from 'vitest';
import { seededRandom } from '../runtime/seeded-random.ts';
import { UNDO_SECRET_BYTES, undoKeyFrom } from './undo-key.ts';

const secret = (byte: number) => new Uint8Array(UNDO_SECRET_BYTES).fill(byte);
const plain = Buffer.from('what was in /etc/motd');

describe('undoKeyFrom', () => {
  const key = undoKeyFrom(secret(1), seededRandom(1));
  const sealed = key.seal('records/1', plain);

  it('opens what was sealed with the same secret, after a restart too', () => {
    const again = undoKeyFrom(secret(1), seededRandom(2));
    expect(again.open('records/1', sealed)).toEqual({ plain });
    expect(again.nameOf(plain)).toBe(key.nameOf(plain));
  });

  it('gives other bytes for the same content each time, none of them readable', () => {
    expect(Buffer.from(key.seal('records/1', plain))).not.toEqual(Buffer.from(sealed));
    expect(Buffer.from(sealed).includes(plain.subarray(0, 8))).toBe(false);
  });

  it('tells another key from damage', () => {
    const other = undoKeyFrom(secret(2), seededRandom(1));
    expect(other.open('records/1', sealed)).toEqual({ problem: 'other key' });
    expect(other.nameOf(plain)).not.toBe(key.nameOf(plain));
    expect(key.open('records/2', sealed)).toEqual({ problem: 'damaged' });
    expect(key.open('records/1', new Uint8Array())).toEqual({ problem: 'damaged' });
  });

  it('opens nothing of which a single bit was changed or the end cut off', () => {
    for (let at = 0; at < sealed.length; at++) {
      const changed = Uint8Array.from(sealed, (byte, index) => (index === at ? byte ^ 1 : byte));
      expect(key.open('records/1', changed)).toHaveProperty('problem');
      expect(key.open('records/1', sealed.subarray(0, at))).toHaveProperty('problem');
    }
  });
});
