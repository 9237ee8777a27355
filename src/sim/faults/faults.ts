/**
 * Faults are everything that can go wrong, as a list that is made from a seed before the run: so a failure can be
 * shrunk by leaving faults out, and replayed by giving the list. Each fault names its moment, its kind and whom it
 * hits; what it needs to know beyond that is drawn here, not while it happens.
 */
import type { Random } from '../../runtime/random.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';

export const FAULT_KINDS = [
  'kill',
  'crash-at-call',
  'power-loss',
  'freeze',
  'stop',
  'cut',
  'partition',
  'loss',
  'doubling',
  'delay',
  'store-errors',
  'read-errors',
  'nats-restart',
  'nats-forgets',
  'clock-jump',
  'slow-disk',
  'full-disk',
  'full-queue',
  'forgery',
  'crash-in-states',
  'crash-in-publish',
  'crash-in-mirror',
  'unreadable-source',
  'crash-in-trust',
  'older-document',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface PlannedFault {
  readonly atMs: number;
  readonly kind: FaultKind;
  /** `master-1`, `peel-3`; of no meaning for faults of the server. */
  readonly node: string;
  /** How long it lasts, or until the node is started again. */
  readonly forMs: number;
  /** A number from 0 to 1 that the fault uses as it likes: a probability, a count, a size. */
  readonly dose: number;
}

type NodeKind = 'master' | 'peel' | 'box' | 'server';

interface Habit {
  /** Times per virtual hour for a node, or for the server. */
  readonly perHour: number;
  readonly on: readonly NodeKind[];
  readonly forMs: readonly [least: number, most: number];
}

/** Machines that join and leave. */
export const BOXES = 3;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const HABITS: Readonly<Record<FaultKind, Habit>> = {
  kill: { perHour: 6, on: ['master', 'peel', 'box'], forMs: [SECOND, 3 * MINUTE] },
  'crash-at-call': { perHour: 12, on: ['master', 'peel', 'box'], forMs: [SECOND, 2 * MINUTE] },
  'power-loss': { perHour: 4, on: ['master', 'peel', 'box'], forMs: [5 * SECOND, 2 * MINUTE] },
  freeze: { perHour: 4, on: ['master', 'peel', 'box'], forMs: [SECOND, 2 * MINUTE] },
  stop: { perHour: 3, on: ['master'], forMs: [SECOND, MINUTE] },
  cut: { perHour: 8, on: ['master', 'peel', 'box'], forMs: [0, 0] },
  partition: { perHour: 4, on: ['master', 'peel', 'box'], forMs: [SECOND, 2 * MINUTE] },
  loss: { perHour: 4, on: ['master', 'peel', 'box'], forMs: [5 * SECOND, MINUTE] },
  doubling: { perHour: 4, on: ['master', 'peel', 'box'], forMs: [5 * SECOND, MINUTE] },
  delay: { perHour: 6, on: ['master', 'peel', 'box'], forMs: [5 * SECOND, 2 * MINUTE] },
  'store-errors': { perHour: 6, on: ['master', 'peel', 'box'], forMs: [SECOND, 40 * SECOND] },
  'read-errors': { perHour: 8, on: ['master', 'peel'], forMs: [20 * SECOND, 3 * MINUTE] },
  'nats-restart': { perHour: 4, on: ['server'], forMs: [SECOND, 45 * SECOND] },
  'nats-forgets': { perHour: 1, on: ['server'], forMs: [SECOND, 20 * SECOND] },
  'clock-jump': { perHour: 1, on: ['peel'], forMs: [0, 0] },
  'slow-disk': { perHour: 3, on: ['master', 'peel'], forMs: [5 * SECOND, MINUTE] },
  'full-disk': { perHour: 2, on: ['master', 'peel'], forMs: [5 * SECOND, MINUTE] },
  'full-queue': { perHour: 0.5, on: ['peel'], forMs: [0, 0] },
  forgery: { perHour: 30, on: ['server'], forMs: [0, 0] },
  'crash-in-states': { perHour: 12, on: ['peel'], forMs: [SECOND, 2 * MINUTE] },
  'crash-in-publish': { perHour: 12, on: ['master'], forMs: [SECOND, MINUTE] },
  'crash-in-mirror': { perHour: 12, on: ['peel'], forMs: [SECOND, MINUTE] },
  'crash-in-trust': { perHour: 12, on: ['master'], forMs: [SECOND, MINUTE] },
  'older-document': { perHour: 24, on: ['server'], forMs: [0, 0] },
  'unreadable-source': { perHour: 4, on: ['master'], forMs: [SECOND, MINUTE] },
};

export interface FaultPlan {
  readonly seed: number;
  readonly masters: number;
  readonly peels: number;
  readonly minutes: number;
  readonly kinds: readonly FaultKind[];
  /** 1: as often as in the table. */
  readonly intensity: number;
}

/** The faults of a run, in order of time. The same plan always gives the same ones, so they can be called by number. */
export function planFaults(plan: FaultPlan): PlannedFault[] {
  const random = seededRandom(plan.seed ^ 0xfa17);
  const untilMs = plan.minutes * MINUTE;
  const faults = plan.kinds.flatMap((kind) => {
    const { on, perHour } = HABITS[kind];
    const nodes = on.flatMap((where) => nodesOf(plan, where));
    return nodes.flatMap((node) => planFor(kind, node, perHour * plan.intensity, untilMs, random));
  });
  return faults.sort((a, b) => a.atMs - b.atMs);
}

function nodesOf(plan: FaultPlan, where: NodeKind): readonly string[] {
  if (where === 'server') return ['server'];
  const count = { master: plan.masters, peel: plan.peels, box: BOXES }[where];
  return Array.from({ length: count }, (_, i) => `${where}-${i + 1}`);
}

/** Waits between faults are exponential, so that there are quiet times and bad ones. */
function planFor(
  kind: FaultKind,
  node: string,
  perHour: number,
  untilMs: number,
  random: Random,
): PlannedFault[] {
  const [least, most] = HABITS[kind].forMs;
  const meanMs = (60 * MINUTE) / perHour;
  const faults: PlannedFault[] = [];
  let atMs = -Math.log(1 - random.fraction()) * meanMs;
  while (atMs < untilMs) {
    const forMs = Math.round(least + random.fraction() * (most - least));
    faults.push({ atMs: Math.round(atMs), kind, node, forMs, dose: random.fraction() });
    atMs += forMs - Math.log(1 - random.fraction()) * meanMs;
  }
  return faults;
}
