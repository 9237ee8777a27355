/** What each kind of fault does to the world, and how it is undone. */
import { never } from '../core/assert.ts';
import type { PlannedFault } from './faults.ts';
import type { SimMaster } from './sim-master.ts';
import type { SimPeel } from './sim-peel.ts';
import type { SimWorld } from './sim-world.ts';

/** Port calls until a planned crash; a job takes a peel about fifteen and a master about ten. */
const CRASH_CALLS_MAX = 40;
const CLOCK_JUMP_MS_MAX = 2 * 3_600_000;
const SLOW_DISK_MS_MAX = 4_000;
const DELAY_MS_MAX = 8_000;
const LOSS_MAX = 0.5;
const STORE_SUBJECT = /^\$(?:JS|KV)|^_INBOX/;

export function applyFault(world: SimWorld, fault: PlannedFault): void {
  const { kind, forMs, dose } = fault;
  world.note(fault.node, `fault: ${kind} for ${forMs} ms, dose ${dose.toFixed(2)}`);
  const node = world.node(fault.node);
  const later = (undo: () => void) => void world.clock.after(forMs, undo);
  switch (kind) {
    case 'kill':
      node?.kill();
      return later(() => node?.start());
    case 'crash-at-call':
      node?.crashSoon({
        calls: 1 + Math.floor(dose * CRASH_CALLS_MAX),
        when: Math.floor(dose * 1_000) % 2 === 0 ? 'before' : 'after',
        how: Math.floor(dose * 10_000) % 3 === 0 ? 'power' : 'kill',
      });
      return later(() => node?.start());
    case 'power-loss':
      node?.kill('power');
      return later(() => node?.start());
    case 'freeze':
      node?.freeze();
      return later(() => node?.thaw());
    case 'stop':
      (node as SimMaster | undefined)?.stop();
      return later(() => node?.start());
    case 'cut':
      return node?.cut();
    case 'partition':
      node?.partition();
      return later(() => node?.heal());
    case 'loss':
      return later(world.addWeather(fault.node, () => ({ lost: dose * LOSS_MAX })));
    case 'doubling':
      return later(world.addWeather(fault.node, () => ({ doubled: dose })));
    case 'delay':
      return later(world.addWeather(fault.node, () => ({ delayMs: dose * DELAY_MS_MAX })));
    case 'store-errors':
      return later(
        world.addWeather(fault.node, (_, subject) => ({ lost: STORE_SUBJECT.test(subject) ? dose : 0 })),
      );
    case 'nats-restart':
      world.server.stop();
      return later(() => world.server.start());
    case 'nats-forgets':
      return forget(world, later);
    case 'clock-jump':
      return node?.jumpClock(Math.round((dose - 0.5) * CLOCK_JUMP_MS_MAX));
    case 'forgery':
      return world.attacker.strike(dose);
    case 'slow-disk':
      (node as SimPeel | undefined)?.setDisk(() => ({ delayMs: dose * SLOW_DISK_MS_MAX }));
      return later(() => (node as SimPeel | undefined)?.setDisk(() => undefined));
    case 'full-disk':
      (node as SimPeel | undefined)?.setDisk(({ name }) =>
        name === 'write' ? { fail: 'ENOSPC' } : undefined,
      );
      return later(() => (node as SimPeel | undefined)?.setDisk(() => undefined));
    default:
      return never(kind);
  }
}

/** The writes of the fault's time are lost when the server comes back. */
function forget(world: SimWorld, later: (undo: () => void) => void): void {
  const [restore, restoreBooks] = [world.server.snapshot(), world.observer.snapshot()];
  later(() => {
    world.server.stop();
    restore();
    restoreBooks();
    world.clock.after(1_000, () => world.server.start());
  });
}
