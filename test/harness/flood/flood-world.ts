/**
 * `FloodWorld` is a fleet on a real nats-server that waits for the disk at every write, as `zester up` has it, with masters that look
 * after floods, honest peels, and flooders: processes that misuse the credentials of a peel.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openAccountServers } from '../../../src/bus/account-servers.ts';
import type { Connection } from '../../../src/bus/connection.ts';
import { openTable } from '../../../src/bus/kv/table.ts';
import { joinedStreams } from '../../../src/bus/stream/joined-streams.ts';
import { sleep } from '../../../src/runtime/clock.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { formatCreds } from '../../../src/trust/creds.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import type { Jid, PeelId } from '../../../src/wire/names/ids.ts';
import { streamInfoSubject } from '../../../src/wire/names/jetstream.ts';
import { inboxPrefix } from '../../../src/wire/names/store-subjects.ts';
import { PEEL_WORD_STREAMS, STREAMS } from '../../../src/wire/names/streams.ts';
import { jobReturnSubject } from '../../../src/wire/names/subjects.ts';
import type { FloodBan } from '../../../src/wire/records/enroll/flood-ban.ts';
import { TABLES } from '../../../src/wire/records/tables.ts';
import { JobsWorld } from '../jobs-world.ts';
import { ROOT } from '../programs/program.ts';
import { testRuntime } from '../servers/trusted-nats.ts';
import { until } from '../until.ts';
import { FLOOD_KINDS, type FloodKind } from './flood-kinds.ts';

const LARGE_BYTES = 500_000;
const END_MS_MAX = 60_000;
const PING_EVERY_MS = 500;
const BAN_READ_MS = 3_000;

export interface FloodFigures {
  readonly kind: string;
  readonly sent: number;
  /** From the first message to the record of the ban; undefined when there is none. */
  readonly bannedMs: number | undefined;
  readonly reason: string;
  /** The slowest ping of an honest peel from the tenth second on, and before. */
  readonly slowestMs: number;
  readonly slowestBeforeMs: number;
  readonly pings: number;
  /** After the flood, until every return of an honest peel is stored. */
  readonly settledMs: number;
  readonly storeBytes: number;
}

/** The flooder of this kind. */
export const evilOf = (kind: string): PeelId => `evil-${kind.replaceAll(' ', '-')}` as PeelId;

export class FloodWorld extends JobsWorld {
  private readonly lines: Connection[] = [];

  async begin(): Promise<void> {
    await this.open(0, {}, 'always');
    const { url } = this.server;
    for (const name of ['m-0', 'm-1']) {
      const line = this.trust.connect([url], 'sys', `${name}-sys`);
      this.lines.push(line);
      const accounts = { servers: openAccountServers(line, testRuntime), authority: this.trust.topology };
      await this.master(name, {}, url, { accounts }).ready;
    }
    await this.peel('good-1');
    await this.peel('good-2');
    const files = this.admin.bucket(BUCKETS.stateFiles.name);
    await files.put('_large', new Uint8Array(LARGE_BYTES));
  }

  override async close(): Promise<void> {
    await Promise.all(this.lines.map((line) => line.close()));
    await super.close();
  }

  /** One flood of this kind, and what it did to the others. */
  async flood(name: string, seconds: number): Promise<FloodFigures> {
    const kind = FLOOD_KINDS[name] as FloodKind;
    const evil = evilOf(name);
    const flooder = await this.startFlooder(kind, evil, seconds);
    const startMs = systemClock.monotonicMs();
    const sinceMs = () => systemClock.monotonicMs() - startMs;
    const watched = this.watchBan(evil, sinceMs, flooder.ended);
    const jids: Jid[] = [];
    let slowestMs = 0;
    let slowestBeforeMs = 0;
    while (sinceMs() < seconds * 1_000) {
      const isLate = sinceMs() > 10_000;
      const beganMs = systemClock.monotonicMs();
      const job = this.job(['good-1', 'good-2']);
      await this.dispatch(job, this.admin, END_MS_MAX);
      const ended = await this.ended(job, END_MS_MAX);
      if (ended.status !== 'complete') throw new Error(`a ping ended as ${ended.status}`);
      const tookMs = Math.round(systemClock.monotonicMs() - beganMs);
      if (isLate) slowestMs = Math.max(slowestMs, tookMs);
      else slowestBeforeMs = Math.max(slowestBeforeMs, tookMs);
      jids.push(job.jid);
      await sleep(systemClock, PING_EVERY_MS);
    }
    const sent = await flooder.ended;
    const ban = await watched;
    const endMs = systemClock.monotonicMs();
    await this.allStored(jids);
    return {
      kind: name,
      sent,
      bannedMs: ban === undefined ? undefined : Math.round(ban.ms),
      reason: ban?.reason ?? '',
      slowestMs,
      slowestBeforeMs,
      pings: jids.length,
      settledMs: Math.round(systemClock.monotonicMs() - endMs),
      storeBytes: bytesIn(this.server.dir),
    };
  }

  async bans(): Promise<FloodBan[]> {
    const entries = await openTable(this.admin, TABLES.floodBans).entries();
    return entries.flatMap((entry) => (entry.is === 'found' ? [entry.value] : []));
  }

  /** Of peels, on the server. */
  async connectedPeels(): Promise<number> {
    const servers = openAccountServers(this.lines[0] as Connection, testRuntime);
    const told = await servers.connections({ acc: this.trust.topology.public.agents.publicKey, limit: 1 });
    return told.reduce((sum, { total }) => sum + total, 0);
  }

  async eventsOn(filter: string): Promise<number> {
    let count = 0;
    await this.admin.stream(STREAMS.events.name).replay({ filter }, () => {
      count += 1;
    });
    return count;
  }

  async messagesIn(stream: string): Promise<{ readonly messages: number; readonly bytes: number }> {
    const { state } = await this.admin.api(streamInfoSubject(stream), {});
    return state as { messages: number; bytes: number };
  }

  /** Both honest peels have confirmed what they returned: nothing of theirs is lost. */
  private async allStored(jids: readonly Jid[]): Promise<void> {
    const words = joinedStreams(this.admin, PEEL_WORD_STREAMS);
    for (const jid of jids)
      for (const peel of ['good-1', 'good-2'] as PeelId[])
        await until(
          async () => (await words.last(jobReturnSubject(jid, peel))) !== undefined,
          `the return of ${peel} to ${jid} to be stored`,
          END_MS_MAX,
        );
  }

  private async watchBan(
    evil: PeelId,
    sinceMs: () => number,
    ended: Promise<unknown>,
  ): Promise<{ readonly ms: number; readonly reason: string } | undefined> {
    let isOver = false;
    // It ends when it is cut off, and the record may be on its way.
    void ended
      .then(() => sleep(systemClock, BAN_READ_MS))
      .then(() => {
        isOver = true;
      });
    const table = openTable(this.admin, TABLES.floodBans);
    for (;;) {
      const read = await table.getLatest(evil).catch(() => undefined);
      if (read?.is === 'found') return { ms: sinceMs(), reason: read.value.reason };
      if (isOver) return undefined;
      await sleep(systemClock, 100);
    }
  }

  /** Resolves when it has begun; `ended` with the number of messages it sent. */
  private async startFlooder(
    kind: FloodKind,
    evil: PeelId,
    seconds: number,
  ): Promise<{ readonly ended: Promise<number> }> {
    const { jwt, key } = this.trust.creds('peel', evil);
    const credsFile = join(this.dir, `${evil}.creds`);
    writeFileSync(credsFile, formatCreds(jwt, key), { mode: 0o600 });
    const prefix = inboxPrefix(evil);
    const order = {
      url: this.server.url,
      caFile: this.trust.caFile,
      credsFile,
      inboxPrefix: prefix,
      subject: kind.subject.replace(/\bE\b/, evil),
      bytes: kind.bytes,
      connections: kind.connections ?? 1,
      unread: kind.unread === true,
      echoes: kind.echoes ?? 0,
      messagesPerLife: kind.messagesPerLife ?? Number.MAX_SAFE_INTEGER,
      perSecond: kind.perSecond ?? Number.MAX_SAFE_INTEGER,
      seconds,
      ...(kind.asks === true ? { reply: `${prefix}.flood` } : {}),
    };
    const program = join(ROOT, 'test/harness/flood/flooder.mjs');
    const child = spawn(process.execPath, [program, JSON.stringify(order)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return watchFlooder(child);
  }
}

function watchFlooder(child: ChildProcess): Promise<{ readonly ended: Promise<number> }> {
  let sent = 0;
  const ended = new Promise<number>((resolve) => child.on('exit', () => resolve(sent)));
  return new Promise((resolve) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const said = JSON.parse(line) as { readonly sent?: number; readonly begun?: true };
      sent = said.sent ?? sent;
      if (said.begun === true) resolve({ ended });
    });
    void ended.then(() => resolve({ ended }));
  });
}

function bytesIn(dir: string): number {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
