/**
 * `PeelOnNats` is the built program zester-peel on a real nats-server, with the master's end of the wire in the hands of a
 * test: commands, what is published, what comes back.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureAssets } from '../../../src/bus/assets.ts';
import { openBus } from '../../../src/bus/bus.ts';
import type { Bus } from '../../../src/bus/port.ts';
import { joinedStreams } from '../../../src/bus/stream/joined-streams.ts';
import { newKsuid } from '../../../src/runtime/ids.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { mintPeelUser } from '../../../src/trust/accounts/users.ts';
import { loadCreds } from '../../../src/trust/auth-dir.ts';
import { commandKeyOf } from '../../../src/trust/command-key.ts';
import { makeCommandProof, proofKeyForPeel } from '../../../src/trust/command-proof.ts';
import { formatCreds } from '../../../src/trust/creds.ts';
import { curveKeyOf, type SigningKey } from '../../../src/trust/nkeys.ts';
import { boxKey } from '../../../src/trust/sealed-box.ts';
import { encodeBase64url } from '../../../src/wire/msgpack/base64url.ts';
import { nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import { ALL_BUCKETS, BUCKETS } from '../../../src/wire/names/buckets.ts';
import { PROOF_HEADER } from '../../../src/wire/names/headers.ts';
import type { Jid, PeelId } from '../../../src/wire/names/ids.ts';
import { COMMAND_KEY, MASTER_CURVE_KEY } from '../../../src/wire/names/keys.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS, PEEL_WORD_STREAMS } from '../../../src/wire/names/streams.ts';
import { commandSubject, jobReturnSubject } from '../../../src/wire/names/subjects.ts';
import {
  type ExecRequest,
  type ExecResponse,
  execRequestCodec,
  execResponseCodec,
} from '../../../src/wire/records/exec.ts';
import { type PeelHeartbeat, peelHeartbeatCodec } from '../../../src/wire/records/heartbeat.ts';
import { type Return, returnCodec } from '../../../src/wire/records/job-return.ts';
import { formatProof } from '../../../src/wire/records/proof-header.ts';
import { sealedSecretsCodec } from '../../../src/wire/records/secrets.ts';
import { ROOT, type RunningProgram, scratchDir, start as startProgram } from '../programs/program.ts';
import type { TestServer } from '../servers/nats-server.ts';
import { TrustedNats, testRuntime } from '../servers/trusted-nats.ts';
import { until } from '../until.ts';

const PEEL_ID = 'web-01' as PeelId;
const PROGRAM = join(ROOT, 'dist/zester-peel.cjs');

export class PeelOnNats {
  readonly peelId = PEEL_ID;
  readonly dir = scratchDir();
  readonly server: TestServer;
  readonly master: Bus;
  private readonly trust: TrustedNats;
  private readonly key: SigningKey;
  private readonly credsFile: string;
  private readonly programs = new Set<RunningProgram>();

  private constructor(trust: TrustedNats, server: TestServer, master: Bus) {
    this.trust = trust;
    this.server = server;
    this.master = master;
    const { jwt, key } = trust.creds('peel', PEEL_ID);
    this.key = key;
    this.credsFile = join(this.dir, `${PEEL_ID}.creds`);
    writeFileSync(this.credsFile, formatCreds(jwt, key), { mode: 0o600 });
  }

  static async open(): Promise<PeelOnNats> {
    const trust = new TrustedNats();
    const server = await trust.startServer();
    const master = openBus(trust.connect([server.url], 'master', 'master'), testRuntime);
    await master.connected();
    const specs = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };
    await ensureAssets(master, specs, 1);
    const secrets = master.bucket(BUCKETS.secrets.name);
    const { control } = trust.topology;
    await secrets.put(MASTER_CURVE_KEY, Buffer.from(curveKeyOf(control).publicKey));
    await secrets.put(COMMAND_KEY, Buffer.from(encodeBase64url(commandKeyOf(control).publicKey)));
    return new PeelOnNats(trust, server, master);
  }

  async close(): Promise<void> {
    await this.killPeels();
    await this.master.close();
    await this.server.stop();
  }

  /** Every peel that was started. */
  async killPeels(): Promise<void> {
    for (const { child } of this.programs) child.kill('SIGKILL');
    await Promise.all([...this.programs].map(({ ended }) => ended));
    this.programs.clear();
  }

  /** The program with any arguments; `node` are those of Node. */
  run(args: readonly string[], node: readonly string[] = []): RunningProgram {
    const program = startProgram(process.execPath, [...node, PROGRAM, ...args]);
    this.programs.add(program);
    return program;
  }

  /** A peel in the directory of this test. */
  start(args: readonly string[] = [], node: readonly string[] = [], url = this.server.url): RunningProgram {
    const own = ['--nats-url', url, '--creds', this.credsFile, '--ca', this.trust.caFile];
    return this.run([...own, '--data-dir', join(this.dir, 'data'), ...args], node);
  }

  /** New credentials of the same key, as a master mints them. */
  jwt(validMs: number): string {
    const { agentsSigning, public: known } = this.trust.topology;
    const nowMs = systemClock.nowMs();
    const expiresAtMs = nowMs + validMs;
    const { publicKey: userPublicKey } = this.key;
    const agentsAccount = known.agents.publicKey;
    return mintPeelUser(agentsSigning, { agentsAccount, peelId: PEEL_ID, userPublicKey, nowMs, expiresAtMs });
  }

  /** Replaces the credentials in the file by some that live so long. */
  useCreds(validMs: number): void {
    writeFileSync(this.credsFile, formatCreds(this.jwt(validMs), this.key), { mode: 0o600 });
  }

  /** The claims of the credentials in the file. */
  claims() {
    return loadCreds(this.credsFile).claims;
  }

  request(module: string, given: Partial<ExecRequest> = {}): ExecRequest {
    const jid = newKsuid(systemClock, systemRandom) as Jid;
    const deadline = nanosFromMs(systemClock.nowMs() + 60_000);
    return execRequestCodec.create({ protocol: 1, jid, module, epoch: 3, deadline, ...given });
  }

  send(asked: ExecRequest): void {
    const payload = execRequestCodec.encode(asked);
    const key = proofKeyForPeel(curveKeyOf(this.trust.topology.control), curveKeyOf(this.key).publicKey);
    if (key === undefined) throw new Error('no proof key');
    const proof = formatProof(makeCommandProof(key, PEEL_ID, payload));
    const headers = new Map([[PROOF_HEADER, proof]]);
    this.master.publish(commandSubject(PEEL_ID), payload, { headers });
  }

  /** From the stream: the return may come before the master is connected again. */
  returnOf(asked: ExecRequest): Promise<Return> {
    return until(async () => {
      let found: Return | undefined;
      const filter = jobReturnSubject(asked.jid, PEEL_ID);
      await joinedStreams(this.master, PEEL_WORD_STREAMS).replay({ filter }, ({ data }) => {
        found ??= returnCodec.decode(data);
      });
      return found;
    }, `the return of ${asked.jid}`);
  }

  /** Sends it and waits for the answer. */
  async ask(module: string, id = ''): Promise<ExecResponse> {
    const asked = this.request(module, { id });
    this.send(asked);
    const { returnData, error } = await this.returnOf(asked);
    const response = execResponseCodec.decode(returnData);
    return response.error === '' ? { ...response, error } : response;
  }

  async heartbeat(): Promise<(PeelHeartbeat & { readonly revision: number }) | undefined> {
    const read = await this.master.bucket(BUCKETS.peelHeartbeat.name).get(PEEL_ID);
    return read.found ? { ...peelHeartbeatCodec.decode(read.value), revision: read.revision } : undefined;
  }

  async beatsAgain(): Promise<void> {
    await this.master.connected();
    const before = (await this.heartbeat())?.revision ?? 0;
    await until(async () => ((await this.heartbeat())?.revision ?? 0) > before, 'a new heartbeat');
  }

  /** Seals secrets for the peel, as a master does. */
  async putSecrets(values: Readonly<Record<string, string>>): Promise<void> {
    const box = boxKey(curveKeyOf(this.trust.topology.control), curveKeyOf(this.key).publicKey);
    const sealed = Object.fromEntries(
      Object.entries(values).map(([path, value]) => [
        path,
        box?.seal(Buffer.from(value), systemRandom) ?? '',
      ]),
    );
    const record = { generation: 1, settingsRevision: 1, fingerprint: '', sealed };
    await this.master.bucket(BUCKETS.secrets.name).put(PEEL_ID, sealedSecretsCodec.encode(record));
  }
}
