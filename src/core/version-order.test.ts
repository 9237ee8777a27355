import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareVersions } from './version-order.ts';

describe('compareVersions', () => {
  it('compares numbers, not text', () => {
    expect(compareVersions('2.9.25', '2.10.0')).toBeLessThan(0);
    expect(compareVersions('v2.10.0', '2.10.0-RC.1')).toBe(0);
    expect(compareVersions('3.0.0', '2.99.99')).toBeGreaterThan(0);
    expect(compareVersions('unknown', '0.0.0')).toBeLessThan(0);
  });

  it('is the order of the three numbers', () => {
    const version = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20));
    fc.assert(
      fc.property(version, version, (a, b) => {
        const asOne = ([major, minor, patch]: readonly number[]) =>
          ((major ?? 0) * 100 + (minor ?? 0)) * 100 + (patch ?? 0);
        expect(Math.sign(compareVersions(a.join('.'), b.join('.')))).toBe(Math.sign(asOne(a) - asOne(b)));
      }),
    );
  });
});
