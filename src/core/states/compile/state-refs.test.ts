import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { absoluteRef, canonicalRef, pathsOfRef, refMeantByPath, refOfPath } from './state-refs.ts';

describe('pathsOfRef', () => {
  it('looks for a folder and for a file, as .zy and as .sls', () => {
    expect(pathsOfRef('web')).toEqual(['web/init.zy', 'web.zy', 'web/init.sls', 'web.sls']);
    expect(pathsOfRef('a.b')).toEqual(['a/b/init.zy', 'a/b.zy', 'a/b/init.sls', 'a/b.sls']);
  });

  it('refuses what cannot be a name', () => {
    for (const ref of ['', '.', '..', 'a..b', 'a.', '.a', 'a/b', '../x', 'a\\b', 'a\0', 'a\nb'])
      expect([ref, pathsOfRef(ref)]).toEqual([ref, undefined]);
  });

  it('law: no ref leads out of the tree', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a', 'ü', ' ') }), (ref) => {
        for (const path of pathsOfRef(ref) ?? [])
          expect(path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')).toBe(true);
      }),
    );
  });

  it('law: every path of a ref has that ref as its name', () => {
    const part = fc.stringMatching(/^[a-z0-9_-]{1,8}$/).filter((text) => text !== 'init');
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const ref = parts.join('.');
        expect(pathsOfRef(ref)?.map(refOfPath)).toEqual([ref, ref, ref, ref]);
        expect(pathsOfRef(`${ref}.init`)?.map(refOfPath)).toContain(canonicalRef(`${ref}.init`));
      }),
    );
  });
});

describe('refOfPath', () => {
  it('is nothing for a file that no ref can name', () => {
    expect(['map.jinja', 'a.b/c.sls', '.sls', 'web/nginx.conf', 'x.y.sls'].map(refOfPath)).toEqual(
      Array(5).fill(undefined),
    );
  });

  it('keeps an init at the top', () => {
    expect(refOfPath('init.sls')).toBe('init');
    expect(canonicalRef('init')).toBe('init');
  });
});

describe('absoluteRef', () => {
  it('leads from the folder of the file, as in Salt', () => {
    const init = { sls: 'a.b', path: 'a/b/init.sls' };
    const plain = { sls: 'a.b', path: 'a/b.sls' };
    expect([absoluteRef('.x', init), absoluteRef('..x', init), absoluteRef('...x', init)]).toEqual([
      'a.b.x',
      'a.x',
      'x',
    ]);
    expect([absoluteRef('.x', plain), absoluteRef('..x', plain), absoluteRef('...x', plain)]).toEqual([
      'a.x',
      'x',
      undefined,
    ]);
    expect(absoluteRef('x.y', plain)).toBe('x.y');
  });
});

describe('refMeantByPath', () => {
  it('finds the name behind a path', () => {
    expect(
      ['web/config', 'web/config.sls', 'salt://web/init.sls', 'zester://web/', '/web'].map(refMeantByPath),
    ).toEqual(['web.config', 'web.config', 'web', 'web', 'web']);
    expect(refMeantByPath('web')).toBeUndefined();
  });
});
