import { describe, expect, it } from 'vitest';
import { FILTERS, GLOBALS, TESTS } from './registry.ts';

// Which names there must be is for test/jinja/salt-names.test.ts, which has them from Salt.
describe('the registry', () => {
  it('knows every entry by its own name, aliases too', () => {
    for (const entries of [FILTERS, TESTS, GLOBALS])
      for (const [name, entry] of entries) expect(entry).toMatchObject({ name });
  });
});
