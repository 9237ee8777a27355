import { beforeEach, describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { openBus } from '../../bus/bus.ts';
import { MemoryServer } from '../../bus/memory/memory-server.ts';
import type { AgentBus, Bus } from '../../bus/port.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { commandKeyOf } from '../../trust/command-key.ts';
import { newSigningKey } from '../../trust/nkeys.ts';
import { newOperatorKey } from '../../trust/operator-key.ts';
import { decodeValue } from '../../wire/msgpack/msgpack-decode.ts';
import type { WireValue } from '../../wire/msgpack/wire-value.ts';
import type { MasterId, PeelId } from '../../wire/names/ids.ts';
import { commandSubject, directAnswerSubject, FILESERVER_DIFF_SUBJECT } from '../../wire/names/subjects.ts';
import {
  type ExecResponse,
  execRequestCodec,
  execResponseCodec,
  stateResultCodec,
} from '../../wire/records/exec.ts';
import {
  filesDifferenceCodec,
  filesDiffReplyCodec,
  filesDiffRequestCodec,
} from '../../wire/records/fileserver.ts';
import { diffMirror, diffSources } from './diff-files.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
const random = seededRandom(5);
const runtime = { clock: systemClock, random, log: silent };
const WEB = 'web-01' as PeelId;
const DIFFERENCE = filesDifferenceCodec.create({
  set: 'states',
  revision: 2,
  mirrored: 1,
  changed: ['top.zy'],
});
const AS_DATA = decodeValue(filesDifferenceCodec.encode(DIFFERENCE));

let admin: Bus;
let master: Bus;
let peel: AgentBus;
beforeEach(async () => {
  const server = new MemoryServer({ clock: systemClock, random });
  admin = openBus(server.connect({ role: 'admin', name: 'a' }), runtime);
  master = openBus(server.connect({ role: 'master', name: 'm' }), runtime);
  peel = openBus(server.connect({ role: 'peel', name: WEB }), runtime);
  await Promise.all([admin, master, peel].map((each) => each.connected()));
});

const operator = newOperatorKey(random, commandKeyOf(newSigningKey('account', random)), {
  name: 'tester',
  issued: 0n,
  expires: undefined,
});
const client = () => clientOf(admin, runtime, { operatorKey: () => operator });

/** The peel answers so; what it was asked is kept. */
async function peelAnswers(response: Partial<ExecResponse>): Promise<{ module: string; id: string }[]> {
  const asked: { module: string; id: string }[] = [];
  await peel.subscribe(commandSubject(WEB), ({ data }) => {
    const { jid, module, id } = execRequestCodec.decode(data);
    asked.push({ module, id });
    const answer = execResponseCodec.create({ jid, peelId: WEB, success: true, ...response });
    peel.publish(directAnswerSubject(jid, WEB), execResponseCodec.encode(answer));
  });
  return asked;
}
const resultOf = (result: WireValue) => [stateResultCodec.create({ name: 'files.diff', data: { result } })];

describe('a difference', () => {
  it('of the directories is told by the publisher, of the set that was asked for', async () => {
    await master.subscribe(FILESERVER_DIFF_SUBJECT, ({ data, reply = '' }) => {
      const { set } = filesDiffRequestCodec.decode(data);
      const answer = { master: 'master-1' as MasterId, sets: [{ ...DIFFERENCE, set }] };
      master.publish(reply, filesDiffReplyCodec.encode(filesDiffReplyCodec.create(answer)));
    });
    expect(await diffSources(client(), 'settings')).toMatchObject({ sets: [{ set: 'settings' }] });
  });

  it('of a mirror is told by the peel', async () => {
    const asked = await peelAnswers({ results: resultOf([AS_DATA]) });
    expect(await diffMirror(client(), WEB, 'states')).toEqual([DIFFERENCE]);
    expect(asked).toEqual([{ module: 'files.diff', id: 'states' }]);
  });

  it.each<[string, Partial<ExecResponse>, RegExp]>([
    [
      'does not know the question',
      { success: false, error: 'no function', code: 'FUNCTION_UNKNOWN' },
      /no function/,
    ],
    ['fails', { success: false, results: [stateResultCodec.create({ error: 'disk' })] }, /disk/],
    ['says nothing', { results: [] }, /does not say why/],
    ['answers with something else', { results: resultOf('ok') }, /no list of differences/],
    ['answers with half a record', { results: resultOf([{ name: 7 }]) }, /no list of differences/],
    ['answers with too many', { results: resultOf(new Array(17).fill(AS_DATA)) }, /no list of differences/],
  ])('of a peel that %s is a failure of that peel', async (_, response, words) => {
    await peelAnswers(response);
    await expect(diffMirror(client(), WEB, '')).rejects.toMatchObject({
      code: 'FILES_PEEL_FAILED',
      exitCode: 2,
      message: expect.stringMatching(words),
    });
  });

  it('of a peel that is away is silence', async () => {
    await expect(diffMirror(client(), 'gone' as PeelId, '')).rejects.toMatchObject({
      code: 'FILES_PEEL_SILENT',
      exitCode: 3,
    });
  });
});
