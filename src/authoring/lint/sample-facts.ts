/**
 * These are facts of two machines, for who has none at hand: most templates choose by family. As a peel collects them.
 */
import { assert } from '../../core/assert.ts';
import { NO_WORDS } from '../../core/target/operator-words.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { parsePeelId } from '../../wire/names/ids.ts';
import type { LintMachine } from './lint-machine.ts';

export function sampleMachines(): readonly LintMachine[] {
  return [
    sample('debian', {
      family: 'debian',
      platform: 'debian',
      full_name: 'Debian GNU/Linux',
      codename: 'bookworm',
      platform_version: '12.11',
    }),
    sample('rhel', {
      family: 'rhel',
      platform: 'rocky',
      full_name: 'Rocky Linux',
      codename: 'Blue Onyx',
      platform_version: '9.5',
    }),
  ];
}

function sample(name: string, os: WireMap): LintMachine {
  const peelId = parsePeelId(`sample-${name}`);
  assert(peelId !== undefined, 'the name of a sample is that of a peel');
  const facts = {
    os: { name: 'linux', ...os, arch: 'amd64', kernel: '6.1.0', kernel_arch: 'x86_64', init: 'systemd' },
    cpu: { count: 2, logical_count: 2, physical_count: 2, model: 'sample' },
    memory: { total: 8_589_934_592, available: 6_442_450_944, swap_total: 1_073_741_824 },
    disk: { mounts: [{ device: '/dev/vda1', mountpoint: '/', fstype: 'ext4', opts: ['rw'] }] },
    network: {
      hostname: peelId,
      fqdn: `${peelId}.example.net`,
      ipv4: ['192.0.2.10', '127.0.0.1'],
      ipv6: ['::1'],
      interfaces: [{ name: 'eth0', mac: '02:00:00:00:00:01', flags: ['up'], addrs: ['192.0.2.10/24'] }],
    },
    default_ipv4: '192.0.2.10',
  };
  return { name, peelId, facts, words: NO_WORDS, isReal: false };
}
