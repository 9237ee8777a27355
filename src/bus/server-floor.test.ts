import { describe, expect, it } from 'vitest';
import { checkServerVersion, isVersionEnough } from './server-floor.ts';

describe('server floor', () => {
  it.each(['2.10.0', '2.10.27', '2.11.0-RC.1', 'v2.15.1', '3.0.0'])('%s is new enough', (version) => {
    expect(isVersionEnough(version)).toBe(true);
    expect(() => checkServerVersion(version)).not.toThrow();
  });

  it.each(['2.9.10', '1.99.0', '', 'unknown'])('%j is refused', (version) => {
    expect(() => checkServerVersion(version)).toThrow(
      expect.objectContaining({ code: 'BUS_SERVER_TOO_OLD' }),
    );
  });
});
