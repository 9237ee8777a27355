/**
 * These checks say what must hold of enrollments when the faults have stopped: every machine has come to its end, the index and the
 * records agree, the account document shuts out exactly those who were revoked, nothing of them is left, and whoever holds an
 * id is connected and known.
 */
import { isSuccess, rowOf } from '../../core/jobs/target-row.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import type { SimWorld } from '../world/sim-world.ts';

const LIVE: readonly string[] = ['approved', 'issued', 'active'];

/** What is not done yet; nothing when all is well. */
export function enrollmentsBehind({ boxes, registrar, enroll: { book } }: SimWorld): readonly string[] {
  if (registrar.waiting > 0) return [`${registrar.waiting} revocations are not confirmed`];
  return boxes.flatMap((box) => {
    if (!box.alive || box.standing === 'empty' || box.standing === 'refused') return [];
    if (box.standing === 'joining') return [`${box.name} still waits to be ${box.peelId}`];
    const current = box.peelId === undefined ? undefined : book.recordOf(box.peelId);
    // Revoked, or its place was taken after a server forgot it.
    if (current?.publicKey !== box.publicKey || current.state === 'revoked') return [];
    const state = box.state();
    const isIdle = state?.queued === 0 && state.running === 0 && state.spooled === 0;
    if (state?.connection !== 'connected' || !isIdle) return [`${box.name}: ${JSON.stringify(state)}`];
    return current.state === 'active' || book.forgotten
      ? []
      : [`${box.name} runs, and its enrollment ${current.id} is ${current.state}`];
  });
}

/** Those that hold their id, and are connected. */
export function machinesIn({ boxes, enroll: { book } }: SimWorld): readonly PeelId[] {
  return boxes.flatMap(({ peelId, publicKey, standing }) => {
    const current = peelId === undefined ? undefined : book.recordOf(peelId);
    const isIn = standing === 'peel' && current?.publicKey === publicKey && current.state === 'active';
    return isIn && peelId !== undefined && !book.forgotten ? [peelId] : [];
  });
}

/** The last question, to each of them. */
export function checkMachinesAnswer({ observer }: SimWorld, jid: Jid): void {
  for (const peel of observer.records.get(jid)?.targets ?? []) {
    const said = observer.returns.get(`${jid}.${peel}`);
    if (said === undefined || !isSuccess(rowOf(said)))
      observer.break(
        'with faults stopped, whoever has joined answers',
        `${peel}: ${said?.error ?? 'nothing'}`,
      );
  }
}

export function checkEnrollments(world: SimWorld): void {
  const { enroll, observer } = world;
  const { book } = enroll;
  for (const text of enrollmentsBehind(world))
    observer.break('with faults stopped, every machine comes to its end', text);
  if (book.forgotten) return;
  for (const record of book.records.values()) checkRecord(world, record);
  for (const [peel, id] of book.index) {
    const named = book.records.get(id);
    if (named !== undefined && named.peelId !== peel)
      observer.break('the index and the records agree', `${peel} has ${id}, which is of ${named.peelId}`);
  }
  checkDocument(world);
}

function checkRecord({ enroll, observer, server }: SimWorld, record: Enrollment): void {
  const { id, peelId, state, publicKey, supersededBy } = record;
  const { book } = enroll;
  const current = book.recordOf(peelId);
  if (LIVE.includes(state) && current?.id !== id) {
    const isHeir = state === 'approved' && record.decidedBy.startsWith('carried over from ');
    const isFollowed = current?.decidedBy === `carried over from ${id}`;
    if (!isHeir && !isFollowed)
      observer.break(
        'the index and the records agree',
        `${id} is ${state}, and ${peelId} has ${current?.id}`,
      );
  }
  if (state !== 'revoked' || supersededBy !== '') return;
  const issuedAtS = Number((record.issuedAt ?? 0n) / 1_000_000_000n);
  if (server.admits({ role: 'peel', name: peelId, key: publicKey, issuedAtS }))
    observer.break('with faults stopped, no server lets the revoked in', `${peelId}, ${id}`);
  const isShutOut = current === undefined || !['issued', 'active'].includes(current.state);
  const left = isShutOut ? enroll.leftOf(peelId) : [];
  if (left.length > 0) observer.break('nothing is left of who was revoked', `${peelId} has ${left.join()}`);
}

function checkDocument({ enroll: { book }, accounts, observer }: SimWorld): void {
  const wanted = new Set(
    [...book.records.values()]
      .filter(({ state, supersededBy }) => state === 'revoked' && supersededBy === '')
      .map(({ publicKey }) => publicKey),
  );
  const there = new Set(Object.keys(accounts.revocations));
  const wrong = [...wanted, ...there].filter((key) => wanted.has(key) !== there.has(key));
  if (wrong.length > 0)
    observer.break('the account document shuts out who was revoked', `it is wrong about ${wrong.join()}`);
}
