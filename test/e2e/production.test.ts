/**
 * The production guide, followed word for word on the machines that it names, which are made here (test/harness/machines): every
 * block runs, in order, and prints what the page shows.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { describe, expect, it } from 'vitest';
import { findServer } from '../../src/nats-server/find-server.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { type Machine, makeMachines, missingForMachines } from '../harness/machines/machines.ts';
import { type Ended, ROOT } from '../harness/programs/program.ts';
import { until } from '../harness/until.ts';
import { MACHINE_PAGES, type ShellBlock, shellBlocks } from './doc-blocks.ts';

const SERVER_PORTS = ['4222', '6222', '8443'];
const GUIDE_MS_MAX = 240_000;
const [page = '', ...others] = MACHINE_PAGES;
const blocks = shellBlocks(page, readFileSync(join(ROOT, page), 'utf8'));
const names = [...new Set(blocks.flatMap(({ machines }) => machines))];

/** The ports of the first table: what others reach. */
const PORTS: Readonly<Record<string, readonly string[]>> = {
  ...{ admin: [], 'web-01': [], 'web-02': [] },
  ...{ 'nats-1': SERVER_PORTS, 'nats-2': SERVER_PORTS, 'nats-3': SERVER_PORTS },
};

describe.runIf(getuid?.() === 0)('the production guide', () => {
  let machines: ReadonlyMap<string, Machine> = new Map();

  it('is the only page for several machines, and this machine can play them', () => {
    expect(others).toEqual([]);
    expect(missingForMachines()).toBeUndefined();
  });

  it(
    'works as it is written',
    async () => {
      const natsServer = await findServer({ env: process.env, clock: systemClock, say: () => undefined });
      machines = await makeMachines({
        names,
        domain: 'example.com',
        natsServer: natsServer.path,
        withRepository: 'admin',
      });
      const guide = new Reader(machines);
      for (const block of blocks) await guide.follow(block);
      await guide.finish();
    },
    GUIDE_MS_MAX,
  );

  it('has no port open to others but those that it names', async () => {
    const open = async (machine: Machine) => {
      const { out } = await machine.run("ss -Hltn | awk '{print $4}'");
      const reached = out
        .split('\n')
        .filter((address) => address !== '' && !address.startsWith('127.0.0.1:'));
      return [machine.name, reached.map((address) => address.replace(/^.*:/, '')).sort()] as const;
    };
    expect(Object.fromEntries(await Promise.all([...machines.values()].map(open)))).toEqual(PORTS);
  });

  it('leaves no secret where another user can read it', async () => {
    for (const machine of machines.values()) {
      const { out } = await machine.run(
        String.raw`find /etc/nats /var/lib/zester /root /opt \( -name '*.key' -o -name '*.seed' -o -name '*.creds' -o -name '*.tar' -size -2M \) -perm /007 2>&1 | grep -v 'No such file' || true`,
      );
      expect([machine.name, out]).toEqual([machine.name, '']);
    }
  });

  it('has servers that trust each other by every name that they tell each other', () => {
    for (const name of ['nats-1', 'nats-2', 'nats-3'])
      expect(machines.get(name)?.read('/var/log/journal/nats-server')).not.toMatch(/route handshake error/);
  });

  it('has units that systemd can read, where it is installed', async () => {
    for (const name of ['nats-1', 'web-01']) {
      const ended = await machines
        .get(name)
        ?.run(
          'command -v systemd-analyze > /dev/null || exit 0; systemd-analyze verify --man=no /etc/systemd/system/*.service',
        );
      expect(ended).toMatchObject({ code: 0, out: '' });
    }
  });
});

/** Types the blocks of a page, one after the other, into one terminal on each machine. */
class Reader {
  private readonly machines: ReadonlyMap<string, Machine>;
  /** By machine: what was left running in its terminal. The next block there waits for its end. */
  private readonly left = new Map<string, () => Promise<void>>();

  constructor(machines: ReadonlyMap<string, Machine>) {
    this.machines = machines;
  }

  async follow(block: ShellBlock): Promise<void> {
    for (const name of block.machines) {
      const machine = this.machines.get(name);
      if (machine === undefined) throw new Error(`no machine ${name}`);
      await this.closeTerminal(name);
      const program = machine.begin(block.script);
      const isLast = name === block.machines.at(-1);
      const end = async () => check(block, machine, await program.ended, isLast);
      const text = block.background;
      if (text === undefined) {
        await end();
        continue;
      }
      this.left.set(name, end);
      await until(() => program.out().includes(text) || program.child.exitCode !== null, text, GUIDE_MS_MAX);
      if (!program.out().includes(text)) await this.closeTerminal(name);
    }
  }

  async finish(): Promise<void> {
    for (const name of this.left.keys()) await this.closeTerminal(name);
  }

  private async closeTerminal(name: string): Promise<void> {
    const end = this.left.get(name);
    this.left.delete(name);
    await end?.();
  }
}

function check(block: ShellBlock, machine: Machine, ended: Ended, isLast: boolean): void {
  const text = told(block, machine, ended);
  expect(ended.code, text).toBe(0);
  if (isLast) expect(ended.out, text).toMatch(asPattern(block.prints));
}

/** The lines in this order, others between them; … stands for any text in a line, and a space for any number. */
function asPattern(lines: readonly string[]): RegExp {
  const literal = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = (line: string) =>
    line
      .trim()
      .split(/\s+/)
      .map((word) => word.split('…').map(literal).join('.*'))
      .join(' +');
  return new RegExp(lines.map((line) => `^ *${pattern(line)} *$`).join(String.raw`[\s\S]*?`), 'm');
}

function told({ line, script }: ShellBlock, machine: Machine, { out }: Ended): string {
  return `line ${line} on ${machine.name}:\n${script}\n${out}\n${machine.logs()}`;
}
