/** This file does to the world what each kind of fault does, and undoes it. */
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { asksAboutStream } from '../../wire/names/jetstream.ts';
import { kvStreamName } from '../../wire/names/store-subjects.ts';
import { OBJECT_STORES, STREAMS } from '../../wire/names/streams.ts';
import { SOURCE_DIRS } from '../files/source-disk.ts';
import { MASTER_DATA_DIR, type SimMaster } from '../world/sim-master.ts';
import type { CrashPlan, DiskFault, SimNode } from '../world/sim-node.ts';
import { PEEL_DATA_DIR, type SimPeel } from '../world/sim-peel.ts';
import type { SimWorld } from '../world/sim-world.ts';
import type { FaultKind, PlannedFault } from './faults.ts';

/** Port calls until a planned crash; a job takes a peel about fifteen and a master about ten. */
const CRASH_CALLS_MAX = 40;
/** Port calls of the peel while it applies or reverts the largest state file, about. */
const STATE_CALLS_MAX = 250;
/** Writes of a publish of a few files, and calls of a mirror that takes them. */
const PUBLISH_CALLS_MAX = 30;
const MIRROR_CALLS_MAX = 120;
const PUBLISH_CALL = new RegExp(
  `^publish \\$(?:KV\\.(?:${[BUCKETS.stateFiles, BUCKETS.settingsFiles, BUCKETS.masterSettings, BUCKETS.secrets].map(({ name }) => name).join('|')})|O\\.${OBJECT_STORES.fileBlobs.name})\\.|^(?:write|rename|unlink|sync) (?:${MASTER_DATA_DIR}|${Object.values(SOURCE_DIRS).join('|')})/`,
);
const MIRROR_CALL = new RegExp(
  `^(?:write|rename|unlink|link|symlink|sync|makeDirectory|removeDirectory) ${PEEL_DATA_DIR}/(?:cache|settings)`,
);
/** Writes about one machine from its request to its facts. */
const TRUST_CALLS_MAX = 8;
const TRUST_CALL = new RegExp(
  `^publish (?:\\$KV\\.(?:${[BUCKETS.enrollments, BUCKETS.joinTokens, BUCKETS.accountDocs, BUCKETS.fleetKeys].map(({ name }) => name).join('|')})\\.|\\$SYS\\.)`,
);
const SOURCE_PATH = new RegExp(`^(?:${Object.values(SOURCE_DIRS).join('|')})/`);
const CLOCK_JUMP_MS_MAX = 2 * 3_600_000;
const SLOW_DISK_MS_MAX = 4_000;
const DELAY_MS_MAX = 8_000;
const LOSS_MAX = 0.5;
const RESTORE_MS = 1_000;
const BURST_JOBS_MAX = 120;
const STORE_SUBJECT = /^\$(?:JS|KV)|^_INBOX/;

const STORES = [
  ...Object.values(BUCKETS).map(({ name }) => kvStreamName(name)),
  ...Object.values(STREAMS).map(({ name }) => name),
];

const MASTERS_DECIDE_BY = [
  BUCKETS.masterHeartbeat,
  BUCKETS.jobs,
  BUCKETS.jobReturns,
  BUCKETS.facts,
  BUCKETS.stateFiles,
  BUCKETS.settingsFiles,
  BUCKETS.masterSettings,
  BUCKETS.secrets,
  BUCKETS.fleetKeys,
  BUCKETS.accountDocs,
  BUCKETS.enrollments,
].map(({ name }) => kvStreamName(name));

interface Hit {
  readonly world: SimWorld;
  readonly fault: PlannedFault;
  /** None for a fault of the server. */
  readonly node: SimNode | undefined;
  readonly dose: number;
  /** When the fault is over. */
  later(undo: () => void): void;
}

const EFFECTS: Readonly<Record<FaultKind, (hit: Hit) => void>> = {
  kill: ({ node, later }) => {
    node?.kill();
    later(() => node?.start());
  },
  'crash-at-call': ({ node, dose, later }) => {
    node?.crashSoon(crashPlan(dose, CRASH_CALLS_MAX));
    later(() => node?.start());
  },
  // While it changes the machine; when it does not, it is spared.
  'crash-in-states': ({ node, dose, later }) => {
    const peel = node as SimPeel | undefined;
    peel?.crashSoon({ ...crashPlan(dose, STATE_CALLS_MAX), counts: () => peel.isActing });
    later(() => node?.start());
  },
  // At a write of files, secrets or the master's own notes; a master that writes none is spared.
  'crash-in-publish': ({ node, dose, later }) => {
    node?.crashSoon({ ...crashPlan(dose, PUBLISH_CALLS_MAX), counts: (call) => PUBLISH_CALL.test(call) });
    later(() => node?.start());
  },
  'crash-in-mirror': ({ node, dose, later }) => {
    node?.crashSoon({ ...crashPlan(dose, MIRROR_CALLS_MAX), counts: (call) => MIRROR_CALL.test(call) });
    later(() => node?.start());
  },
  // Some of the files, or all.
  'unreadable-source': (hit) => {
    let calls = 0;
    withDisk(hit, ({ name, path }) => {
      if (name !== 'read' || !SOURCE_PATH.test(path)) return undefined;
      return ++calls % 10 < hit.dose * 10 ? { fail: 'EIO' } : undefined;
    });
  },
  'power-loss': ({ node, later }) => {
    node?.kill('power');
    later(() => node?.start());
  },
  freeze: ({ node, later }) => {
    node?.freeze();
    later(() => node?.thaw());
  },
  stop: ({ node, later }) => {
    (node as SimMaster | undefined)?.stop();
    later(() => node?.start());
  },
  cut: ({ node }) => node?.cut(),
  partition: ({ node, later }) => {
    node?.partition();
    later(() => node?.heal());
  },
  loss: ({ world, fault, dose, later }) =>
    later(world.addWeather(fault.node, () => ({ lost: dose * LOSS_MAX }))),
  doubling: ({ world, fault, dose, later }) => later(world.addWeather(fault.node, () => ({ doubled: dose }))),
  delay: ({ world, fault, dose, later }) =>
    later(world.addWeather(fault.node, () => ({ delayMs: dose * DELAY_MS_MAX }))),
  'store-errors': ({ world, fault, dose, later }) =>
    later(world.addWeather(fault.node, (_, subject) => ({ lost: STORE_SUBJECT.test(subject) ? dose : 0 }))),
  // One bucket or stream cannot be read, all others can, and all can be written.
  'read-errors': ({ world, fault, dose, later }) => {
    const stores = fault.node.startsWith('master') ? MASTERS_DECIDE_BY : STORES;
    const stream = stores[Math.floor(dose * stores.length)] ?? '';
    later(world.addWeather(fault.node, (_, subject) => ({ lost: asksAboutStream(subject, stream) ? 1 : 0 })));
  },
  'nats-restart': ({ world, later }) => {
    world.server.stop();
    later(() => world.server.start());
  },
  'nats-forgets': ({ world, later }) => {
    // The writes of the fault's time are lost when the server comes back.
    const [restore, restoreBooks] = [world.server.snapshot(), world.observer.snapshot()];
    const restoreFiles = world.files.snapshot();
    const restoreKeys = world.rotations.snapshot();
    const restoreAccounts = world.accounts.snapshot();
    const restoreEnrollments = world.enroll.snapshot();
    later(() => {
      world.server.stop();
      restore();
      restoreBooks();
      restoreFiles();
      restoreKeys();
      restoreAccounts();
      restoreEnrollments();
      world.clock.after(RESTORE_MS, () => world.server.start());
    });
  },
  'clock-jump': ({ node, dose }) => node?.jumpClock(Math.round((dose - 0.5) * CLOCK_JUMP_MS_MAX)),
  'slow-disk': (hit) => withDisk(hit, () => ({ delayMs: hit.dose * SLOW_DISK_MS_MAX })),
  'full-disk': (hit) => withDisk(hit, ({ name }) => (name === 'write' ? { fail: 'ENOSPC' } : undefined)),
  'full-queue': ({ world, node, dose }) =>
    world.client.burst(node?.name as PeelId, Math.ceil(dose * BURST_JOBS_MAX)),
  forgery: ({ world, dose }) => world.attacker.strike(dose),
  // At a write of enrollments, tokens, account documents or generations of the fleet key; a master that writes none is spared.
  'crash-in-trust': ({ node, dose, later }) => {
    node?.crashSoon({ ...crashPlan(dose, TRUST_CALLS_MAX), counts: (call) => TRUST_CALL.test(call) });
    later(() => node?.start());
  },
  'older-document': ({ world, dose }) => world.attacker.pushOlder(dose),
};

export function applyFault(world: SimWorld, fault: PlannedFault): void {
  const { kind, forMs, dose } = fault;
  world.note(fault.node, `fault: ${kind} for ${forMs} ms, dose ${dose.toFixed(2)}`);
  world.troubles.note(fault);
  const later = (undo: () => void) => void world.clock.after(forMs, undo);
  EFFECTS[kind]({ world, fault, node: world.node(fault.node), dose, later });
}

function crashPlan(dose: number, callsMax: number): CrashPlan {
  return {
    calls: 1 + Math.floor(dose * callsMax),
    when: Math.floor(dose * 1_000) % 2 === 0 ? 'before' : 'after',
    how: Math.floor(dose * 10_000) % 3 === 0 ? 'power' : 'kill',
  };
}

function withDisk({ node, later }: Hit, disk: DiskFault): void {
  node?.setDisk(disk);
  later(() => node?.setDisk(undefined));
}
