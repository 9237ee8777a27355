import { describe, expect, it } from 'vitest';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { factsDigest, VOLATILE_FACTS } from './facts-digest.ts';

const facts = {
  os: { name: 'linux', uptime: 10, kernel: '6.1' },
  cpu: { count: 2, mhz: 1000 },
  memory: {
    total: 8,
    available: 4,
    used: 4,
    used_percent: 50,
    free: 3,
    swap_total: 2,
    swap_used: 1,
    swap_free: 1,
  },
  disk: { mounts: [{ mountpoint: '/', total: 9, used: 5, free: 4, used_percent: 55.6 }] },
  role: 'web',
} satisfies WireMap;

describe('factsDigest', () => {
  it('does not move with what moves all the time', () => {
    const later: WireMap = {
      ...facts,
      os: { ...facts.os, uptime: 11 },
      cpu: { ...facts.cpu, mhz: 2000 },
      memory: {
        total: 8,
        available: 5,
        used: 3,
        used_percent: 37,
        free: 2,
        swap_total: 2,
        swap_used: 0,
        swap_free: 2,
      },
      disk: { mounts: [{ mountpoint: '/', total: 9, used: 6, free: 3, used_percent: 66 }] },
    };
    expect(factsDigest(later)).toBe(factsDigest(facts));
  });

  it('does not depend on the order of keys', () => {
    const turned = Object.fromEntries(Object.entries(facts).reverse());
    expect(factsDigest(turned)).toBe(factsDigest(facts));
  });

  it.each<[string, WireMap]>([
    ['a kernel', { ...facts, os: { ...facts.os, kernel: '6.2' } }],
    ['memory', { ...facts, memory: { ...facts.memory, total: 16 } }],
    ['a disk', { ...facts, disk: { mounts: [...facts.disk.mounts, { mountpoint: '/data' }] } }],
    ['a size of a disk', { ...facts, disk: { mounts: [{ mountpoint: '/', total: 10 }] } }],
    ['a custom fact', { ...facts, role: 'db' }],
    ['a custom fact more', { ...facts, used: 1 }],
    ['a custom fact less', Object.fromEntries(Object.entries(facts).filter(([key]) => key !== 'role'))],
  ])('moves with %s', (_, changed) => {
    expect(factsDigest(changed)).not.toBe(factsDigest(facts));
  });

  it('is the same where volatile facts are missing altogether, or are something else', () => {
    expect(factsDigest({ disk: 'none', memory: [1], cpu: { mhz: 1 } })).toBe(
      factsDigest({ disk: 'none', memory: [1], cpu: {} }),
    );
    expect(VOLATILE_FACTS.every((path) => /^(os|cpu|memory|disk)\./.test(path))).toBe(true);
  });
});
