/**
 * The observer sees everything that passes the simulated server, and every effect on a peel, and says at once when a
 * promise is broken. It keeps its own records: nothing here asks the product what it thinks happened.
 */

import type { Stored } from '../bus/memory/memory-jetstream.ts';
import type { MemoryUser, ServerObserver } from '../bus/memory/memory-server.ts';
import { isTerminal } from '../core/jobs/job-lifecycle.ts';
import { isRealReturn } from '../core/jobs/target-row.ts';
import { BUCKETS } from '../wire/names/buckets.ts';
import { type Jid, type MasterId, type PeelId, parseJid } from '../wire/names/ids.ts';
import { parseJobReturnKey } from '../wire/names/keys.ts';
import { parseKvSubject } from '../wire/names/store-subjects.ts';
import { PEEL_WORD_STREAMS } from '../wire/names/streams.ts';
import { parseCommandSubject, parseJobSubject } from '../wire/names/subjects.ts';
import { execRequestCodec } from '../wire/records/exec.ts';
import { masterHeartbeatCodec } from '../wire/records/heartbeat.ts';
import { type Job, jobCodec } from '../wire/records/job.ts';
import { type Return, type Row, returnCodec, rowCodec } from '../wire/records/job-return.ts';

export interface Violation {
  readonly atMs: number;
  readonly rule: string;
  readonly text: string;
}

/** What peels say whose revocation was acknowledged, and what is done to them (enroll/sim-enroll.ts). */
export interface RevokedWords {
  isTainted(key: string): boolean;
  commanded(life: string, peel: PeelId): void;
  rowFromRevoked(life: string, key: string, peel: PeelId): void;
}

interface MasterLife {
  readonly node: string;
  isAlive: boolean;
  /** When its heartbeat was stored, the latest few. */
  readonly beatsMs: number[];
  isLeaving: boolean;
}

const HEARTBEAT_TTL_MS = BUCKETS.masterHeartbeat.ttlMs;
/** Between two looks of one master that count. */
const LOOKS_APART_MS_MIN = 15_000;
const LOOKS_APART_MS_MAX = 60_000;
/** More than there can be in that time. */
const BEATS_KEPT = 40;

const JOB_STREAMS: ReadonlySet<string> = new Set(PEEL_WORD_STREAMS.map(({ name }) => name));

export class SimObserver implements ServerObserver {
  readonly violations: Violation[] = [];
  /** As stored, newest. */
  readonly records = new Map<Jid, Job>();
  readonly rows = new Map<string, Row>();
  /** First return of each target in the stream. */
  readonly returns = new Map<string, Return>();
  readonly acked = new Set<string>();
  readonly effects = new Map<string, number>();
  private readonly effectsAt = new Map<string, number>();
  readonly counts = { published: 0, stored: 0, commands: 0, adoptions: 0, olderReports: 0 };
  private readonly nowMs: () => number;
  private readonly enroll: RevokedWords | undefined;
  private readonly masters = new Map<MasterId, MasterLife>();
  private readonly requests = new Map<string, string>();
  /** Since the server lost writes, records may be older than what was sent (decision 11). */
  private hasForgotten = false;

  constructor(nowMs: () => number, enroll?: RevokedWords) {
    this.nowMs = nowMs;
    this.enroll = enroll;
  }

  masterStarted(id: MasterId, node: string): void {
    this.masters.set(id, { node, isAlive: true, beatsMs: [], isLeaving: false });
  }

  masterEnded(id: MasterId): void {
    const life = this.masters.get(id);
    if (life !== undefined) life.isAlive = false;
  }

  /** The books as they are now; the returned function puts them back: the server forgot what was written since. */
  snapshot(): () => void {
    const [records, rows, returns] = [[...this.records], [...this.rows], [...this.returns]];
    const acked = [...this.acked];
    return () => {
      this.hasForgotten = true;
      refill(this.records, records);
      refill(this.rows, rows);
      refill(this.returns, returns);
      this.acked.clear();
      for (const key of acked) this.acked.add(key);
    };
  }

  /** A master says that the server has lost acknowledged writes. */
  reportedOlder(node: string, asset: string): void {
    this.counts.olderReports += 1;
    if (!this.hasForgotten)
      this.break('nobody calls a store older that has lost nothing', `${node} says it of ${asset}`);
  }

  get forgotten(): boolean {
    return this.hasForgotten;
  }

  /** `where`: the machine, if more than one may have had this id. */
  effect(peel: PeelId, jid: string, where = ''): void {
    const key = `${jid}.${peel}`;
    this.effects.set(key, (this.effects.get(key) ?? 0) + 1);
    const times = (this.effectsAt.get(`${key} ${where}`) ?? 0) + 1;
    this.effectsAt.set(`${key} ${where}`, times);
    if (times > 1) this.break('an effect happens at most once', `${key} ran ${times} times`);
    if (!this.requests.has(key)) this.break('only what a master sent is run', `${key} was never sent`);
  }

  published(by: MemoryUser, message: { readonly subject: string; readonly data: Uint8Array }): void {
    this.counts.published += 1;
    const peel = parseCommandSubject(message.subject);
    if (peel === undefined) return;
    if (by.role === 'master') {
      this.command(peel, message.data);
      this.enroll?.commanded(by.name, peel);
    }
    if (by.role === 'admin') this.directRequest(peel, message.data);
  }

  stored(by: MemoryUser, { stream, subject, data }: Stored): void {
    this.counts.stored += 1;
    const kv = parseKvSubject(subject);
    if (JOB_STREAMS.has(stream)) this.jobEvent(subject, data);
    else if (kv?.bucket === BUCKETS.jobs.name) this.record(by, kv.key, data);
    else if (kv?.bucket === BUCKETS.jobReturns.name) this.row(by, kv.key, data);
    else if (kv?.bucket === BUCKETS.masterHeartbeat.name) this.heartbeat(kv.key as MasterId, data);
  }

  break(rule: string, text: string): void {
    this.violations.push({ atMs: this.nowMs(), rule, text });
  }

  private command(peel: PeelId, data: Uint8Array): void {
    this.counts.commands += 1;
    const { jid } = execRequestCodec.decode(data);
    const key = `${jid}.${peel}`;
    const bytes = Buffer.from(data).toString('base64');
    const before = this.requests.get(key);
    this.requests.set(key, bytes);
    if (this.hasForgotten) return;
    if (before !== undefined && before !== bytes)
      this.break('all requests for one job and peel are the same bytes', `${key} was sent in two forms`);
    const record = this.records.get(jid);
    if (record === undefined || record.status === 'claimed')
      this.break('a claimed record was never published', `${key} sent while ${record?.status ?? 'unknown'}`);
  }

  /** Its id is not known before it is asked, so that its argument names it. */
  private directRequest(peel: PeelId, data: Uint8Array): void {
    const { args } = execRequestCodec.decode(data);
    this.requests.set(`${String(args['jid'])}.${peel}`, '');
  }

  private jobEvent(subject: string, data: Uint8Array): void {
    const word = parseJobSubject(subject);
    if (word === undefined || !('peel' in word)) return;
    const key = `${word.jid}.${word.peel}`;
    if (this.enroll?.isTainted(key)) return;
    if (word.kind === 'ack') this.acked.add(key);
    if (word.kind === 'return' && !this.returns.has(key)) this.returns.set(key, returnCodec.decode(data));
  }

  private row(by: MemoryUser, key: string, data: Uint8Array): void {
    const place = parseJobReturnKey(key);
    if (place === undefined || data.length === 0) return;
    const row = rowCodec.decode(data);
    const before = this.rows.get(key);
    this.rows.set(key, row);
    if (this.hasForgotten) return;
    if (before !== undefined && isRealReturn(before) && !isRealReturn(row))
      this.break('a real return is never replaced', `${key} became ${row.outcome}`);
    const isUnexplained = isRealReturn(row) && !this.returns.has(key);
    if (isUnexplained && this.enroll?.isTainted(key)) this.enroll.rowFromRevoked(by.name, key, place.peel);
    else if (isUnexplained)
      this.break('a row is true to what the peel did', `${key} has a row and no return in the stream`);
    const record = this.records.get(place.jid);
    if (record !== undefined && !record.targets.includes(place.peel))
      this.break('only targets have rows', `${key} is no target`);
  }

  private heartbeat(id: MasterId, data: Uint8Array): void {
    const life = this.masters.get(id);
    if (life === undefined || data.length === 0) return;
    const { leaving } = masterHeartbeatCodec.decode(data);
    life.beatsMs.push(this.nowMs());
    if (life.beatsMs.length > BEATS_KEPT) life.beatsMs.shift();
    life.isLeaving ||= leaving;
  }

  private record(by: MemoryUser, key: string, data: Uint8Array): void {
    const jid = parseJid(key);
    if (jid === undefined || data.length === 0) return;
    const job = jobCodec.decode(data);
    const before = this.records.get(jid);
    this.records.set(jid, job);
    if (!this.hasForgotten) this.judgeWrite(by.name as MasterId, before, job);
  }

  private judgeWrite(by: MasterId, before: Job | undefined, job: Job): void {
    const { jid } = job;
    const rule = 'nobody but the owner at its epoch writes a record';
    if (before === undefined) {
      if (job.owner !== by || job.status !== 'claimed') this.break(rule, `${jid} began as ${job.status}`);
      return;
    }
    if (isTerminal(before.status)) {
      if (!isTerminal(job.status)) this.break('what has ended stays ended', `${jid} became ${job.status}`);
      return;
    }
    if (before.owner === by) {
      if (job.owner !== by) this.break(rule, `${jid} was given away`);
      return;
    }
    // A job that was handed over in order was not reclaimed.
    const wasLeft = before.owner !== undefined && this.masters.get(before.owner)?.isLeaving === true;
    const reclaims = before.reclaimCount + (wasLeft ? 0 : 1);
    if (job.owner !== by || (job.reclaimCount !== reclaims && !wasLeft)) {
      this.break(rule, `${jid} of ${before.owner} was written by ${by}`);
      return;
    }
    this.counts.adoptions += 1;
    this.judgeAdoption(jid, before.owner, by);
    if (before.status === 'running' && job.execEpoch !== before.execEpoch && before.execEpoch !== 0)
      this.break('an adopter keeps the exec epoch', `${jid}: ${before.execEpoch} became ${job.execEpoch}`);
  }

  /** Who was missed only once may be slow. A process that was on the same machine is known to be gone. */
  private judgeAdoption(jid: Jid, owner: MasterId | undefined, by: MasterId): void {
    const life = owner === undefined ? undefined : this.masters.get(owner);
    if (life === undefined || life.isLeaving || life.node === this.masters.get(by)?.node) return;
    const nowMs = this.nowMs();
    if (life.isAlive && !wasMissing(life, nowMs, nowMs))
      this.break('a master whose heartbeat never expired loses no job', `${jid} was taken from ${owner}`);
    else if (!wasMissing(life, nowMs - LOOKS_APART_MS_MAX, nowMs - LOOKS_APART_MS_MIN))
      this.break('who is missed once is not dead', `${jid} was taken from ${owner} at the first look`);
  }
}

/** Whether there was a moment between the two at which its heartbeat key was not there. */
function wasMissing({ beatsMs }: MasterLife, fromMs: number, toMs: number): boolean {
  const gaps = [Number.NEGATIVE_INFINITY, ...beatsMs].map((beatMs, i) => ({
    fromMs: beatMs + HEARTBEAT_TTL_MS,
    toMs: beatsMs[i] ?? Number.POSITIVE_INFINITY,
  }));
  return gaps.some((gap) => gap.fromMs < gap.toMs && gap.fromMs <= toMs && gap.toMs >= fromMs);
}

function refill<K, V>(map: Map<K, V>, entries: readonly (readonly [K, V])[]): void {
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
}
