import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientAddress, clientNetwork } from './client-network.ts';
import { DOOR_BOUNDS, DoorLimits, OpenCount } from './door-limits.ts';

describe('the network of who asks', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('of %s is %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });

  it('and an IPv4 address is written as people know it', () => {
    const written = ['::ffff:192.0.2.7', '192.0.2.7', '2001:db8::1'].map(clientAddress);
    expect(written).toEqual(['192.0.2.7', '192.0.2.7', '2001:db8::1']);
  });
});

describe('the rate of the door', () => {
  it('lets a rack of 1,000 machines behind one address join within a minute', () => {
    const limits = new DoorLimits();
    let asked = 0;
    for (let ms = 0; ms < 60_000; ms += 10) if (limits.request('192.0.2.1', ms) === 0) asked += 1;
    expect(asked).toBeGreaterThan(5_000);
  });

  it('stops a flood, says when to come back, and leaves others alone', () => {
    const limits = new DoorLimits();
    let taken = 0;
    for (let i = 0; i < 100_000; i++) if (limits.request('192.0.2.1', 0) === 0) taken += 1;
    expect(taken).toBe(DOOR_BOUNDS.perSecond * 5);
    const waitMs = limits.request('192.0.2.1', 0);
    expect(waitMs).toBeCloseTo(10);
    expect(limits.request('192.0.2.1', waitMs)).toBe(0);
    expect(limits.request('192.0.2.2', 0)).toBe(0);
  });

  it('bounds all networks together', () => {
    const limits = new DoorLimits();
    let taken = 0;
    for (let i = 0; i < 50_000; i++) if (limits.request(`10.0.${i >> 8}.${i & 255}`, 0) === 0) taken += 1;
    expect(taken).toBe(DOOR_BOUNDS.perSecond * 5 * 4);
  });
});

describe('the rate of handshakes at the door', () => {
  it('is bounded for one network and for all, and lets who is a little too fast come in to be told so', () => {
    const limits = new DoorLimits();
    const taken = (of: (i: number) => string) => {
      let count = 0;
      for (let i = 0; i < 5_000; i++) if (limits.handshake(of(i), 0)) count += 1;
      return count;
    };
    expect(taken(() => '192.0.2.1')).toBe(2 * DOOR_BOUNDS.perSecond * 5);
    expect(taken((i) => `10.0.${i >> 8}.${i & 255}`)).toBe(2 * DOOR_BOUNDS.perSecond * 5);
    expect(limits.handshake('192.0.2.2', 0)).toBe(false);
    expect(limits.handshake('192.0.2.2', 1_000)).toBe(true);
    expect(limits.request('192.0.2.1', 0)).toBe(0);
  });
});

describe('what is open at the door', () => {
  it('of a few networks that take all they can leaves room for others', () => {
    const { connections, streams } = new DoorLimits();
    for (const count of [connections, streams])
      for (let network = 0; network < 7; network++) while (count.open(`10.0.0.${network}`));
    expect([connections.open('192.0.2.1'), streams.open('192.0.2.1')]).toEqual([true, true]);
  });

  it('is never more than its bounds, of all and of one, and what is closed is free again', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.constantFrom('a', 'b', 'c')), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (all) => {
        const count = new OpenCount(5, 3);
        const open: string[] = [];
        for (const [isOpening, network] of all) {
          if (isOpening && count.open(network)) open.push(network);
          else if (!isOpening && open.includes(network)) {
            open.splice(open.indexOf(network), 1);
            count.close(network);
          }
          const own = open.filter((each) => each === network).length;
          if (open.length > 5 || own > 3 || count.size !== open.length || count.of(network) !== own)
            return false;
          if (isOpening && open.length < 5 && own < 3 && !new Set(open).has(network)) return false;
        }
        return true;
      }),
    );
  });
});
