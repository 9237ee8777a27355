import { describe, expect, it } from 'vitest';
import { JID } from '../../../test/fixtures/go/samples.ts';
import { encodeValue } from '../msgpack/msgpack-encode.ts';
import { WireError } from '../msgpack/wire-error.ts';
import { dispatchReplyCodec } from './dispatch-reply.ts';
import { FILE_SETS, fileManifestCodec, revisionCodec, settingsManifestCodec } from './file-set.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a revision', () => {
  it('is decimal text', () => {
    expect(revisionCodec.encode(42)).toEqual(bytes('42'));
    expect(revisionCodec.decode(bytes('42'))).toBe(42);
  });

  it.each(['', '-1', '+1', '01', '1.0', '1e3', ' 1', '1\n', '9007199254740992', '1'.repeat(1_000), 'ä'])(
    'is not %j',
    (text) => expect(() => revisionCodec.decode(bytes(text))).toThrow(WireError),
  );

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('is not %d', (revision) => {
    expect(() => revisionCodec.encode(revision)).toThrow(WireError);
  });
});

describe('manifests', () => {
  it('have two forms that do not pass for one another', () => {
    const files = [{ key: 'top.zy', sha256: 'ab', size: 1, blob: false }];
    expect(() => settingsManifestCodec.decode(fileManifestCodec.encode({ files }))).toThrow('is not a list');
    expect(() => fileManifestCodec.decode(settingsManifestCodec.encode(files))).toThrow('is not a map');
  });

  it.each(Object.values(FILE_SETS))('of $name are read as a list, whatever their form', ({ manifest }) => {
    const files = [{ key: 'top.zy', sha256: 'ab', size: 1, blob: true }];
    expect(manifest.decode(manifest.encode(files))).toEqual(files);
    expect(manifest.decode(manifest.encode([]))).toEqual([]);
  });

  it('name the file that is wrong', () => {
    expect(() => fileManifestCodec.decode(encodeValue({ files: [{ key: 'a' }, { key: 1 }] }))).toThrow(
      'FileManifest at files[1].key: is not text',
    );
  });
});

describe('a dispatch reply', () => {
  it('is an error as soon as it names one', () => {
    expect(dispatchReplyCodec.decode(encodeValue({ jid: JID, error: 'late' }))).toEqual({
      error: 'late',
      code: '',
    });
  });

  it.each([{}, { jid: '' }, { jid: 'x' }])('that says nothing is refused: %j', (reply) => {
    expect(() => dispatchReplyCodec.decode(encodeValue(reply))).toThrow('is neither a job id nor an error');
  });
});
