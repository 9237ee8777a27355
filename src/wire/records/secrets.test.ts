import { describe, expect, it } from 'vitest';
import { encodeValue } from '../msgpack/msgpack-encode.ts';
import { WireError } from '../msgpack/wire-error.ts';
import { sealedSecretsCodec } from './secrets.ts';
import { TABLES } from './tables.ts';

const secrets = {
  generation: 2,
  settingsRevision: 12,
  fingerprint: 'ab',
  sealed: { 'db.password': 'ENC[…]' },
};

describe('sealed secrets', () => {
  it.each([' generation', ' settings revision', ' fingerprint', ' x'])(
    'have no path that could pass for something else: %j',
    (path) => {
      expect(() => sealedSecretsCodec.encode({ ...secrets, sealed: { [path]: '7' } })).toThrow(WireError);
    },
  );

  it('that say more in front of the paths than we know are refused', () => {
    expect(() => sealedSecretsCodec.decode(encodeValue({ ' algorithm': 'x' }))).toThrow(
      'begins with a blank',
    );
  });

  it.each(['', '-1', '01', '1.5', 'x', '9007199254740992'])('with a counter %j are refused', (counter) => {
    for (const key of [' generation', ' settings revision'])
      expect(() => sealedSecretsCodec.decode(encodeValue({ [key]: counter }))).toThrow(WireError);
  });

  it.each([-1, 0.5, Number.NaN])('are not written with a counter %d', (counter) => {
    expect(() => sealedSecretsCodec.encode({ ...secrets, settingsRevision: counter })).toThrow(WireError);
  });

  it('of a path that every object has are those of the record only', () => {
    const { sealed } = sealedSecretsCodec.decode(sealedSecretsCodec.encode(secrets));
    expect(sealed.constructor).toBeUndefined();
  });

  it('are a table that does not see the public keys beside them', () => {
    const { isOther } = TABLES.sealedSecrets;
    expect(['_master_curve_pub', '_command_pub', '_cluster_info'].every((key) => isOther?.(key))).toBe(true);
    expect(isOther?.('web-01')).toBe(false);
  });
});
