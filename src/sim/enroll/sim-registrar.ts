/**
 * `SimRegistrar` is everybody around enrollment: who installs boxes, with a wish and sometimes a token, some of them under an id that
 * another one has or that the token does not cover; who approves, rejects, tags and revokes; who makes tokens; and who sends
 * again what he has recorded of others.
 */
import { decideEnrollment, type EnrollDecision, tagPeel } from '../../client/enroll/decide-enrollment.ts';
import { createJoinToken, revokeJoinToken } from '../../client/enroll/join-tokens.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { Random } from '../../runtime/random.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import type { SimWorld } from '../world/sim-world.ts';
import type { SimBox } from './sim-box.ts';

/** Out of a hundred acts. */
const SHARES = {
  'decides about one': 40,
  'installs a box': 24,
  'revokes a peel': 9,
  'tags a peel': 6,
  'makes a token': 6,
  'revokes a token': 2,
  'starts a whole rack': 5,
  'sends a recorded request': 5,
  'lets a machine ask again': 3,
};
type ActName = keyof typeof SHARES;

const EVERY_MS = 5_000;
export const BOX_IDS = ['web-1', 'web-2', 'web-3', 'db-1'] as PeelId[];
const PATTERNS = ['web-*', 'db-*', 'web-1'];
const REJECTED = 0.2;
const WITH_TOKEN = 0.4;
const DISHONEST = 0.3;
/** Wants to be a peel that never enrolled. */
const SQUATS = 0.08;
const TOKEN_MS = 180_000;
const AGAIN_MS = 4_000;
const LOOK_MS = 5_000;
const NO_TERMS = { reason: '', force: false, tags: {}, facts: {} };

export class SimRegistrar {
  private readonly world: SimWorld;
  private readonly random: Random;
  private readonly tokens: string[] = [];
  private revoking = 0;

  constructor(world: SimWorld, random: Random) {
    this.world = world;
    this.random = random;
  }

  /** Revocations that nobody has confirmed yet. */
  get waiting(): number {
    return this.revoking;
  }

  workUntil(untilMs: number): void {
    const { clock } = this.world;
    clock.after(-Math.log(1 - this.random.fraction()) * EVERY_MS, () => {
      if (clock.monotonicMs() > untilMs) return;
      this.act(drawnAct(this.random.fraction()));
      this.workUntil(untilMs);
    });
  }

  /** From now on everybody who waits is approved, but for who wants to be a peel that there is. */
  finish(): void {
    for (const record of this.recordsIn(['pending']))
      this.decide(BOX_IDS.includes(record.peelId) ? 'approve' : 'reject', record);
    this.world.clock.after(LOOK_MS, () => this.finish());
  }

  private act(name: ActName): void {
    this.acts[name]();
  }

  private readonly acts: Readonly<Record<ActName, () => void>> = {
    'decides about one': () => {
      const record = this.pick(this.recordsIn(['pending']));
      if (record !== undefined) this.decide(this.random.fraction() < REJECTED ? 'reject' : 'approve', record);
    },
    'installs a box': () => {
      // One that is of no use, or any.
      const boxes = this.world.boxes.filter(({ standing }) => standing === 'empty' || standing === 'refused');
      const box = this.pick(boxes.length > 0 ? boxes : this.random.fraction() < 0.2 ? this.world.boxes : []);
      if (box !== undefined) this.install(box);
    },
    'revokes a peel': () => {
      const record = this.pick(this.recordsIn(['approved', 'issued', 'active']));
      if (record !== undefined) this.revoke(record);
    },
    'tags a peel': () => {
      const record = this.pick(this.recordsIn(['issued', 'active']));
      const set = { role: `r${Math.floor(this.random.fraction() * 3)}` };
      const change = { setTags: set, removeTags: [], setFacts: {}, removeFacts: [] };
      if (record !== undefined) this.watched(tagPeel(this.client, record.peelId, change));
    },
    'makes a token': () => this.watched(this.makeToken(1 + Math.floor(this.random.fraction() * 3))),
    'revokes a token': () => {
      const [id] = this.pick(this.tokens)?.split('.') ?? [];
      if (id !== undefined) this.watched(revokeJoinToken(this.client, id));
    },
    'starts a whole rack': () => this.watched(this.startRack()),
    'sends a recorded request': () => {
      const { boxes, door } = this.world;
      const [request] = this.pick(boxes)?.sent ?? [];
      const thief = this.pick(boxes.filter(({ alive }) => alive));
      if (request === undefined || thief === undefined) return;
      thief.note('sends a recorded request');
      const at = Math.floor(this.random.fraction() * 3);
      const sent = door.ask(thief.guest, at, async (desk) => {
        await desk.submit(request, '10.6.6.6');
        this.world.enroll.book.submitted(request.challengeId);
      });
      this.watched(sent);
    },
    'lets a machine ask again': () => {
      const box = this.pick(this.world.boxes.filter(({ standing }) => standing !== 'empty'));
      box?.askAgain();
    },
  };

  private install(box: SimBox): void {
    const token = this.random.fraction() < WITH_TOKEN ? this.pick(this.tokens) : undefined;
    const squats = this.random.fraction() < SQUATS;
    const peelId = (squats ? this.world.peels[0]?.id : this.pick(BOX_IDS)) ?? ('web-1' as PeelId);
    box.install({ peelId, token, isHonest: this.random.fraction() >= DISHONEST });
  }

  /** All at once, each under its own id, with a token that is good for fewer. */
  private async startRack(): Promise<void> {
    const token = await this.makeToken(1, 'web-*');
    for (const [index, box] of this.world.boxes.entries()) {
      const peelId = BOX_IDS[index];
      if (peelId !== undefined) box.install({ peelId, token, isHonest: true });
    }
  }

  private async makeToken(uses: number, peelPattern = this.pick(PATTERNS) ?? 'web-*'): Promise<string> {
    const { clock } = this.world;
    const expiresAt = nanosFromMs(clock.nowMs() + TOKEN_MS);
    const { text } = await createJoinToken(this.client, { uses, expiresAt, peelPattern, tags: {} });
    this.tokens.push(text);
    return text;
  }

  private decide(decision: EnrollDecision, { id, peelId }: Enrollment): void {
    this.world.note('operator', `${decision} ${id} of ${peelId}`);
    if (decision === 'approve') this.world.enroll.book.approving(id);
    this.watched(decideEnrollment(this.client, decision, id, NO_TERMS));
  }

  /** Until every server has confirmed it. */
  private revoke(record: Enrollment): void {
    this.world.note('operator', `revoke ${record.id} of ${record.peelId}`);
    this.revoking += 1;
    const ask = (): Promise<boolean> =>
      decideEnrollment(this.client, 'revoke', record.id, NO_TERMS).then(
        ({ warning }) => {
          if (warning === '') this.world.enroll.acknowledged(record);
          return warning === '';
        },
        (error: unknown) => {
          if (!isZesterError(error)) throw error;
          // It is history by now, or nobody answered.
          return error.code === 'ENROLL_COMMAND_REFUSED';
        },
      );
    const go = () =>
      void ask().then((isDone) => {
        if (isDone) this.revoking -= 1;
        else this.world.clock.after(AGAIN_MS, go);
      });
    go();
  }

  private recordsIn(states: readonly Enrollment['state'][]): Enrollment[] {
    return [...this.world.enroll.book.records.values()].filter(({ state }) => states.includes(state));
  }

  private get client() {
    return this.world.client.questions.client;
  }

  private watched(question: Promise<unknown>): void {
    this.world.client.questions.watched(question.then(() => undefined));
  }

  private pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.random.fraction() * from.length)];
  }
}

function drawnAct(fraction: number): ActName {
  let left = fraction * 100;
  for (const [name, share] of Object.entries(SHARES)) {
    left -= share;
    if (left < 0) return name as ActName;
  }
  return 'decides about one';
}
