import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkedPath, inDirectory, nameFromBytes, nativePath, parentOf } from './file-path.ts';

describe('file names', () => {
  it('come back as the same bytes, whatever the bytes', () => {
    const name = fc
      .uint8Array({ minLength: 1, maxLength: 40 })
      .filter((bytes) => !bytes.some((b) => b === 0));
    fc.assert(
      fc.property(name, (bytes) => {
        expect(Buffer.from(nativePath(nameFromBytes(Buffer.from(bytes))))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('that are UTF-8 are themselves', () => {
    for (const name of ['motd', 'grüße', '日本', '😀']) {
      expect(nameFromBytes(Buffer.from(name))).toBe(name);
      expect(nativePath(`/etc/${name}`)).toBe(`/etc/${name}`);
    }
  });
});

describe('checkedPath', () => {
  it('cuts slashes at the end and refuses what names no file of its own', () => {
    expect(['/', '//', '/etc//', '/a//b'].map(checkedPath)).toEqual(['/', '/', '/etc', '/a//b']);
    for (const path of ['', 'etc', './etc', '/a\0', '/etc/..', '/etc/./', '/..', '/\udc00', '/\ud83d'])
      expect(() => checkedPath(path)).toThrow(expect.objectContaining({ code: 'FILE_PATH_INVALID' }));
    expect(checkedPath('/...')).toBe('/...');
    expect(checkedPath('/😀\udcff')).toBe('/😀\udcff');
  });
});

it('parentOf and inDirectory take the root as a directory', () => {
  expect(['/a/b', '/a', '/'].map(parentOf)).toEqual(['/a', '/', '/']);
  expect([inDirectory('/', 'a'), inDirectory('/a', 'b')]).toEqual(['/a', '/a/b']);
});
