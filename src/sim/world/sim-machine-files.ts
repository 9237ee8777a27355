/**
 * These are the files that a simulated machine has on its disk, so that its peel has facts to tell and states to hold
 * true.
 */
import { BAKED_FILES } from '../files/baked-files.ts';
import { FILES_OF_OLD } from '../states/sim-states.ts';

const CPU = `processor\t: 0
vendor_id\t: GenuineIntel
model name\t: Simulated CPU
cpu MHz\t\t: 2500.000
cache size\t: 1024 KB
physical id\t: 0
core id\t\t: 0
`;

const MEMORY = `MemTotal:        2048000 kB
MemFree:          512000 kB
MemAvailable:    1024000 kB
SwapTotal:             0 kB
SwapFree:              0 kB
`;

const MOUNTS = `22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
23 22 0:5 / /proc rw - proc proc rw
24 22 8:2 / /var rw,relatime - xfs /dev/sda2 rw
`;

const ROUTES = `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
eth0\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\t0\t0\t0
eth0\t0000000A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
`;

const ADDRESSES = `Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     +-- 10.0.0.0/24 2 0 2
        |-- 10.0.0.0
           /24 link UNICAST
        |-- 10.0.0.7
           /32 host LOCAL
`;

export function simMachineFiles(hostname: string): Readonly<Record<string, string>> {
  return {
    '/etc/os-release': 'ID=debian\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\n',
    '/etc/debian_version': '12.11\n',
    '/etc/hosts': `127.0.0.1 localhost\n10.0.0.7 ${hostname}.example.net ${hostname}\n`,
    '/proc/cpuinfo': CPU,
    '/proc/meminfo': MEMORY,
    '/proc/self/mountinfo': MOUNTS,
    '/proc/uptime': '1000.00 900.00\n',
    '/proc/stat': 'btime 1767225600\n',
    '/proc/sys/kernel/arch': 'x86_64\n',
    '/proc/sys/kernel/hostname': `${hostname}\n`,
    '/proc/sys/kernel/osrelease': '6.1.0-sim\n',
    '/proc/net/route': ROUTES,
    '/proc/net/fib_trie': ADDRESSES,
    '/proc/net/if_inet6': 'fe800000000000000000000000000007 02 40 20 80     eth0\n',
    '/sys/class/net/eth0/address': '02:00:00:00:00:07\n',
    '/sys/class/net/eth0/flags': '0x1003\n',
    '/sys/class/net/eth0/operstate': 'up\n',
    '/etc/zester/facts': 'role: sim\n',
    ...BAKED_FILES,
    ...FILES_OF_OLD,
  };
}
