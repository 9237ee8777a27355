/**
 * `DoorWorld` is masters with their enrollment doors on a real nats-server, and machines that speak HTTPS to them. Made while a test
 * file is read: the trust cleans up after the last test.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { openAccountServers } from '../../../src/bus/account-servers.ts';
import { openAgentBus, openBus } from '../../../src/bus/bus.ts';
import type { Connection } from '../../../src/bus/connection.ts';
import type { AgentBus, Bus } from '../../../src/bus/port.ts';
import { DOOR_BOUNDS, type DoorBounds, DoorLimits } from '../../../src/core/enroll/desk/door-limits.ts';
import { Metrics } from '../../../src/daemon/metrics.ts';
import { ownCertificate } from '../../../src/master/enroll/http/door-certificate.ts';
import { type EnrollDoor, openEnrollDoor } from '../../../src/master/enroll/http/enroll-door.ts';
import { masterMetrics } from '../../../src/master/master-metrics.ts';
import { masterKeysOf, newMasterId } from '../../../src/master/master-ports.ts';
import type { MasterSettings } from '../../../src/master/master-settings.ts';
import { type Master, startMaster } from '../../../src/master/start-master.ts';
import { newCa, openCa, spkiPin } from '../../../src/trust/x509/ca.ts';
import { ENROLL_NONCE_PATH, ENROLL_PATH, enrollCredsPath } from '../../../src/wire/names/enroll-routes.ts';
import type { EnrollmentId } from '../../../src/wire/names/ids.ts';
import {
  ENROLL_APPROVE_SUBJECT,
  ENROLL_REJECT_SUBJECT,
  ENROLL_REVOKE_SUBJECT,
} from '../../../src/wire/names/subjects.ts';
import {
  type EnrollAdminReply,
  type EnrollAdminRequest,
  enrollAdminReplyCodec,
  enrollAdminRequestCodec,
} from '../../../src/wire/records/enroll/enroll-admin.ts';
import type {
  EnrollBootstrap,
  EnrollCredsAnswer,
  EnrollErrorAnswer,
  EnrollNonceAnswer,
  EnrollStatusAnswer,
} from '../../../src/wire/records/enroll/enroll-http.ts';
import { bareMachine } from '../master/bare-machine.ts';
import type { TestServer } from '../servers/nats-server.ts';
import { TrustedNats, testRuntime } from '../servers/trusted-nats.ts';
import { type MachineWords, NewMachine } from './new-machine.ts';

const VERBS = {
  approve: ENROLL_APPROVE_SUBJECT,
  reject: ENROLL_REJECT_SUBJECT,
  revoke: ENROLL_REVOKE_SUBJECT,
};

export interface HttpReply<Body = EnrollErrorAnswer> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
  readonly text: string;
}

export interface HttpAsk {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface MasterDoor {
  readonly master: Master;
  readonly door: EnrollDoor;
  readonly limits: DoorLimits;
}

export class DoorWorld {
  readonly trust = new TrustedNats();
  readonly pin: string;
  server: TestServer = undefined as never;
  admin: Bus = undefined as never;
  private readonly ca;
  private readonly rootPem: string;
  private readonly bundle: EnrollBootstrap;
  private readonly undo: (() => Promise<unknown>)[] = [];

  constructor() {
    const nowMs = testRuntime.clock.nowMs();
    const { root, intermediate } = newCa(testRuntime.random, nowMs);
    this.rootPem = root.certificatePem;
    this.ca = openCa(
      {
        rootPem: root.certificatePem,
        intermediatePem: intermediate.certificatePem,
        intermediateKeyPem: intermediate.keyPem,
      },
      'ca',
    );
    this.pin = spkiPin(this.ca.root);
    this.bundle = {
      v: 1,
      ca_bundle_pem: `${root.certificatePem}${intermediate.certificatePem}`,
      fingerprint: this.pin,
      nats_urls: ['tls://nats:4222'],
      issued_at: '2026-11-18T00:00:00Z',
    };
  }

  async open(): Promise<void> {
    this.server = await this.trust.startServer();
    this.undo.push(() => this.server.stop());
    this.admin = openBus(this.trust.connect([this.server.url], 'admin', 'admin'), testRuntime);
    this.undo.push(() => this.admin.close());
    await this.admin.connected();
  }

  async close(): Promise<void> {
    for (const step of this.undo.reverse()) await step();
  }

  async master(
    bounds: Partial<DoorBounds> = {},
    isReady = true,
    settings: Partial<MasterSettings> = {},
  ): Promise<MasterDoor> {
    const { trust } = this;
    const runtime = testRuntime;
    const masterId = newMasterId(runtime);
    const bus = openBus(trust.connect([this.server.url], 'master', 'master'), runtime);
    const systemLine = trust.connect([this.server.url], 'sys', 'sys');
    const master = startMaster({
      ...bareMachine(runtime.clock),
      bus,
      runtime,
      trust: masterKeysOf(trust.topology.control),
      issuer: { ...trust.issuer(), caPin: this.pin },
      identity: { masterId, host: 'here', pid: 1, bootId: 'boot', version: '0' },
      isProcessGone: () => false,
      settings,
      accounts: { servers: openAccountServers(systemLine, runtime), authority: trust.topology },
    });
    const limits = new DoorLimits({ ...DOOR_BOUNDS, ...bounds });
    const door = await openEnrollDoor(
      {
        runtime,
        desk: master.desk,
        isReady: () => isReady && master.state().phase === 'ready',
        certificate: ownCertificate(() => this.ca, ['127.0.0.1', 'localhost'], runtime),
        bootstrap: () => this.bundle,
        limits,
        metrics: masterMetrics(new Metrics()),
      },
      { host: '127.0.0.1', port: 0 },
    );
    this.undo.push(
      () => systemLine.close(),
      () => bus.close(),
      () => master.stop(),
      () => door.stop(),
    );
    await master.ready;
    return { master, door, limits };
  }

  machine(peel: string): NewMachine {
    return new NewMachine(peel, testRuntime.random);
  }

  ask<Body = EnrollErrorAnswer>(door: EnrollDoor, path: string, ask: HttpAsk = {}): Promise<HttpReply<Body>> {
    const { host, port } = door.address;
    const { method = 'GET', headers = {}, body } = ask;
    return new Promise((resolve, reject) => {
      const request = httpsRequest(
        { host, port, path, method, headers, ca: this.rootPem, agent: false, servername: 'localhost' },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const isJson = response.headers['content-type']?.startsWith('application/json') === true;
            const read = (isJson && text !== '' ? JSON.parse(text) : undefined) as Body;
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read, text });
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  /** A TLS connection that speaks for itself. */
  get tls() {
    return { ca: this.rootPem, host: '127.0.0.1', servername: 'localhost' };
  }

  async nonce(door: EnrollDoor, machine: NewMachine) {
    const query = `?peel_id=${machine.peelId}&public_key=${machine.publicKey}`;
    const { body } = await this.ask<EnrollNonceAnswer>(door, `${ENROLL_NONCE_PATH}${query}`);
    return { challengeId: body.challenge_id as never, challenge: Buffer.from(body.challenge, 'base64') };
  }

  post<Body = EnrollStatusAnswer>(door: EnrollDoor, body: object | string): Promise<HttpReply<Body>> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.ask<Body>(door, ENROLL_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    });
  }

  async submit(door: EnrollDoor, machine: NewMachine, words: MachineWords = { pin: this.pin }) {
    return this.post<EnrollStatusAnswer & EnrollErrorAnswer>(
      door,
      machine.body(await this.nonce(door, machine), words),
    );
  }

  creds(door: EnrollDoor, machine: NewMachine, id: string) {
    const { publicKey, signature } = machine.proof(id as EnrollmentId);
    const authorization = `Nkey ${publicKey}:${Buffer.from(signature).toString('base64url')}`;
    return this.ask<EnrollCredsAnswer & EnrollErrorAnswer>(door, enrollCredsPath(id as EnrollmentId), {
      headers: { authorization },
    });
  }

  decide(verb: keyof typeof VERBS, id: string, reason = ''): Promise<EnrollAdminReply> {
    return this.askMasters(verb, { id, reason });
  }

  /** By its name, whether it has an enrollment or not. */
  revokePeel(peelId: string): Promise<EnrollAdminReply> {
    return this.askMasters('revoke', { id: '', peelId });
  }

  private async askMasters(
    verb: keyof typeof VERBS,
    request: Partial<EnrollAdminRequest>,
  ): Promise<EnrollAdminReply> {
    const data = enrollAdminRequestCodec.encode(
      enrollAdminRequestCodec.create({ id: '', operator: 'alice', ...request }),
    );
    return enrollAdminReplyCodec.decode(
      (await this.admin.request(VERBS[verb], data, { timeoutMs: 15_000 })).data,
    );
  }

  /** From the first question to the credentials. */
  async join(door: EnrollDoor, machine: NewMachine): Promise<{ readonly id: string; readonly jwt: string }> {
    const { id } = (await this.submit(door, machine)).body;
    const { error } = await this.decide('approve', id);
    if (error !== '') throw new Error(error);
    const { body } = await this.creds(door, machine, id);
    return { id, jwt: Buffer.from(body.creds_data, 'base64').toString() };
  }

  /** The machine as a peel, with these credentials. */
  connect(machine: NewMachine, jwt: string): { readonly line: Connection; readonly bus: AgentBus } {
    const line = this.trust.connect([this.server.url], 'peel', machine.peelId, { jwt, key: machine.key });
    this.undo.push(() => line.close());
    return { line, bus: openAgentBus(line, testRuntime) };
  }
}
