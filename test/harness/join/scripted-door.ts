/**
 * A scripted door is an HTTPS server that answers as an enrollment door does, except where a test tells it otherwise: for what a real
 * door never does. The real one is in the tests of test/integration/enroll.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SecureVersion } from 'node:tls';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { newTopology } from '../../../src/trust/accounts/topology.ts';
import { mintPeelUser } from '../../../src/trust/accounts/users.ts';
import { issueLeaf, newCa, openCa, spkiPin } from '../../../src/trust/x509/ca.ts';
import { readCaCertificate } from '../../../src/trust/x509/read-certificate.ts';

const HOUR_MS = 3_600_000;
export const SCRIPTED_ID = `enr-${'a'.repeat(27)}`;

/** A CA with a leaf for this machine. */
export class ScriptedCa {
  readonly rootPem: string;
  readonly bundlePem: string;
  readonly pin: string;
  private readonly ca;

  constructor() {
    const { root, intermediate } = newCa(systemRandom, systemClock.nowMs());
    this.rootPem = root.certificatePem;
    this.bundlePem = root.certificatePem + intermediate.certificatePem;
    this.pin = spkiPin(readCaCertificate(root.certificatePem, 'root'));
    const files = {
      rootPem: root.certificatePem,
      intermediatePem: intermediate.certificatePem,
      intermediateKeyPem: intermediate.keyPem,
    };
    this.ca = openCa(files, 'ca');
  }

  leaf(
    names: readonly string[] = ['127.0.0.1', 'localhost'],
    nowMs = systemClock.nowMs(),
    validMs = HOUR_MS,
  ) {
    const leaf = issueLeaf(this.ca, { names, validMs }, systemRandom, nowMs);
    return { cert: leaf.chainPem, key: leaf.keyPem };
  }
}

export type Script = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export interface DoorScript {
  readonly ca?: Script;
  readonly nonce?: Script;
  readonly submit?: Script;
  readonly status?: Script;
  readonly stream?: Script;
  readonly creds?: Script;
}

export const answer =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Script =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

export class ScriptedDoor {
  readonly asked: string[] = [];
  readonly bodies: Record<string, unknown>[] = [];
  private readonly server: Server;
  private readonly ca: ScriptedCa;
  private readonly topology = newTopology(systemRandom, systemClock.nowMs());
  private readonly overrides: DoorScript;

  private constructor(server: Server, ca: ScriptedCa, script: DoorScript) {
    this.server = server;
    this.ca = ca;
    this.overrides = script;
  }

  static async open(
    ca: ScriptedCa,
    script: DoorScript = {},
    tls: { cert: string; key: string; maxVersion?: SecureVersion } = ca.leaf(),
  ): Promise<ScriptedDoor> {
    const server = createServer({ minVersion: 'TLSv1.2', ...tls });
    const door = new ScriptedDoor(server, ca, script);
    server.on('request', (request, response) => void door.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return door;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  bootstrap(natsUrls: readonly string[] = ['tls://127.0.0.1:4222']) {
    const { bundlePem, pin } = this.ca;
    return { v: 1, ca_bundle_pem: bundlePem, fingerprint: pin, nats_urls: natsUrls, issued_at: '' };
  }

  /** A JWT as a master mints it. */
  jwt(peelId: string, userPublicKey: string, validMs = HOUR_MS): string {
    const nowMs = systemClock.nowMs();
    const agentsAccount = this.topology.public.agents.publicKey;
    const peel = { agentsAccount, peelId, userPublicKey, nowMs, expiresAtMs: nowMs + validMs };
    return mintPeelUser(this.topology.agentsSigning, peel);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const piece of request as AsyncIterable<Buffer>) body += piece.toString();
    const [path = ''] = (request.url ?? '').split('?');
    this.asked.push(path);
    if (body !== '') this.bodies.push(JSON.parse(body) as Record<string, unknown>);
    const name = path.split('/').at(-1) as keyof DoorScript | 'enroll';
    const script = this.overrides[name === 'enroll' ? 'submit' : name] ?? this.usual(name);
    script(request, response, body);
  }

  private usual(name: string): Script {
    const last = this.bodies.at(-1) ?? {};
    const peel_id = String(last.peel_id ?? '');
    if (name === 'ca') return answer(200, this.bootstrap());
    if (name === 'nonce') {
      const challenge = Buffer.alloc(32, 7).toString('base64');
      return answer(200, { challenge_id: `chl-${'a'.repeat(27)}`, challenge, expires_at: '' });
    }
    if (name === 'creds') {
      const jwt = this.jwt(peel_id, String(last.public_key));
      return answer(200, { peel_id, creds_data: Buffer.from(jwt).toString('base64'), expires_at: '' });
    }
    return answer(201, { id: SCRIPTED_ID, peel_id, state: 'approved' });
  }
}
