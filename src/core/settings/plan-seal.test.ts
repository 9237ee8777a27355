import { describe, expect, it } from 'vitest';
import type { SealedSecrets } from '../../wire/records/secrets.ts';
import { planSeal, type SealPlan } from './plan-seal.ts';

const STORED: SealedSecrets = {
  generation: 1,
  settingsRevision: 7,
  fingerprint: 'same',
  sealed: { a: 'ENC[nkey,a]', b: 'ENC[nkey,b]' },
};
const WANTED = { generation: 1, settingsRevision: 7, fingerprint: 'same', paths: new Set(['a', 'b']) };
const NOTHING = { ...WANTED, fingerprint: 'none', paths: new Set<string>() };
const ONLY_A = { ...WANTED, fingerprint: 'other', paths: new Set(['a']) };
const USUAL = { force: false, overNewer: false, keepFormer: true };
const WRITE: SealPlan = { is: 'write', former: [] };

describe('the sealed secrets of a peel', () => {
  it.each<[why: string, ...Parameters<typeof planSeal>, plan: SealPlan]>([
    ['stay when they are the same', STORED, WANTED, USUAL, { is: 'keep' }],
    [
      'stay when the settings are newer and they are the same',
      STORED,
      { ...WANTED, settingsRevision: 9 },
      USUAL,
      { is: 'keep' },
    ],
    ['are written where there are none', 'absent', WANTED, USUAL, WRITE],
    ['are written over what cannot be read', 'unreadable', WANTED, USUAL, WRITE],
    ['are written when they changed', STORED, { ...WANTED, fingerprint: 'other' }, USUAL, WRITE],
    ['are written for another generation of the key', STORED, { ...WANTED, generation: 2 }, USUAL, WRITE],
    ['are written when that is wanted', STORED, WANTED, { ...USUAL, force: true }, WRITE],
    [
      'stay when they are from newer settings',
      STORED,
      { ...ONLY_A, settingsRevision: 6 },
      USUAL,
      { is: 'outdated', revision: 7 },
    ],
    [
      'stay when they are from newer settings, also when all are sealed anew',
      STORED,
      { ...WANTED, settingsRevision: 6 },
      { ...USUAL, force: true },
      { is: 'outdated', revision: 7 },
    ],
    [
      'give way to older ones when the store has lost the newer settings',
      STORED,
      { ...WANTED, settingsRevision: 6 },
      { ...USUAL, force: true, overNewer: true },
      WRITE,
    ],
    ['keep names that are not wanted any more', STORED, ONLY_A, USUAL, { is: 'write', former: ['b'] }],
    [
      'lose them in the end',
      STORED,
      { ...ONLY_A, fingerprint: 'same' },
      { ...USUAL, keepFormer: false },
      WRITE,
    ],
    [
      'keep them until then, without a write',
      STORED,
      { ...ONLY_A, fingerprint: 'same' },
      USUAL,
      { is: 'keep' },
    ],
    ['are kept though none is wanted any more', STORED, NOTHING, USUAL, { is: 'write', former: ['a', 'b'] }],
    ['go when none is wanted any more', STORED, NOTHING, { ...USUAL, keepFormer: false }, { is: 'remove' }],
    ['go when none is left', { ...STORED, sealed: {} }, NOTHING, USUAL, { is: 'remove' }],
    ['go when they cannot be read', 'unreadable', NOTHING, USUAL, { is: 'remove' }],
    ['are not there and not wanted', 'absent', NOTHING, { ...USUAL, force: true }, { is: 'keep' }],
  ])('%s', (_, stored, wanted, choice, plan) => {
    expect(planSeal(stored, wanted, choice)).toEqual(plan);
  });
});
