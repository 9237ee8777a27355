/** The built program zester-peel renews its credentials over a real nats-server, with credentials that live for seconds. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { renewCredentialsSubject } from '../../../src/wire/names/subjects.ts';
import {
  type RenewReply,
  renewReplyCodec,
  renewRequestCodec,
} from '../../../src/wire/records/enroll/credentials-renewal.ts';
import { PeelOnNats } from '../../harness/peel/peel-on-nats.ts';
import { until } from '../../harness/until.ts';

const LIFE_MS = 8_000;

describe('credentials that expire', () => {
  let nats: PeelOnNats;
  let asked = 0;
  let reply: (publicKey: string) => Partial<RenewReply>;

  beforeAll(async () => {
    nats = await PeelOnNats.open();
    await nats.master.subscribe(renewCredentialsSubject(nats.peelId), (message) => {
      asked += 1;
      const { publicKey } = renewRequestCodec.decode(message.data);
      const answer = { jwt: '', expiresAt: undefined, error: '', code: '', ...reply(publicKey) };
      nats.master.publish(message.reply ?? '', renewReplyCodec.encode(answer));
    });
  }, 60_000);
  afterAll(() => nats.close());

  it('are renewed and taken into use in time, and a job that runs meanwhile is not lost', async () => {
    reply = () => ({ jwt: nats.jwt(LIFE_MS) });
    nats.useCreds(LIFE_MS);
    const first = nats.claims().jti;
    const peel = nats.start();
    await nats.beatsAgain();
    const job = nats.request('test.sleep', { id: '12' });
    nats.send(job);
    await until(() => peel.err().includes(job.jid), 'the job to start');
    // Longer than any of the credentials lives.
    expect(await nats.returnOf(job)).toMatchObject({ success: true });
    expect(asked).toBeGreaterThan(1);
    expect(nats.claims().jti).not.toBe(first);
    expect(await nats.ask('test.ping')).toMatchObject({ success: true });
    expect(peel.err()).toContain('connecting anew with the renewed credentials');
    expect(peel.err().toLowerCase()).not.toContain('authentication expired');
    expect(peel.child.exitCode).toBeNull();
    await nats.killPeels();
  }, 60_000);

  it('and are over when the peel starts are told with their end and the clock of this machine, once', async () => {
    nats.useCreds(1_000);
    const endMs = (nats.claims().exp ?? 0) * 1_000;
    await until(() => systemClock.nowMs() > endMs, 'the credentials to be over');
    const peel = nats.start();
    const told = () => peel.err().split('BUS_CREDENTIALS_EXPIRED').length - 1;
    await until(() => told() > 0, 'the reason', 20_000);
    expect(peel.err()).toMatch(/good until 20\d\d-\S+Z; the clock of this machine says 20\d\d-\S+Z/);
    expect(told()).toBe(1);
    await nats.killPeels();
  }, 60_000);

  it('what is not for this key is not written, and is asked for again', async () => {
    asked = 0;
    reply = () => (asked === 1 ? { jwt: 'nonsense' } : { error: 'not now \u001b[2J', code: 'X' });
    nats.useCreds(LIFE_MS);
    const before = nats.claims().jti;
    const peel = nats.start();
    await until(() => asked > 2, 'it to ask again', 30_000);
    expect(nats.claims().jti).toBe(before);
    expect(peel.err()).toContain('JOIN_WRONG_CREDENTIALS');
    expect(peel.err()).not.toContain('\u001b');
    await nats.killPeels();
  }, 60_000);
});
