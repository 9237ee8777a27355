/**
 * `SimDoor` is the way from a machine to the enrollment desk of a master, without HTTPS: requests and answers come late, twice or
 * not at all, by the weather of the machine; a master that is away, or dies before it has answered, does not answer.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import type { EnrollmentDesk } from '../../master/enroll/enrollment-desk.ts';
import type { Life } from '../world/life.ts';
import type { SimWorld } from '../world/sim-world.ts';

export interface DoorGuest {
  readonly name: string;
  /** Its answers are for this life of it. */
  readonly life: Life;
}

const ANSWER_MS = 10_000;

export class SimDoor {
  private readonly world: SimWorld;

  constructor(world: SimWorld) {
    this.world = world;
  }

  /** Rejects with what the desk says, or JOIN_UNREACHABLE. */
  ask<T>({ name, life }: DoorGuest, at: number, work: (desk: EnrollmentDesk) => Promise<T>): Promise<T> {
    const { clock, masters } = this.world;
    const master = masters[at % masters.length];
    return new Promise((resolve, reject) => {
      const unreachable = () =>
        reject(zesterError('JOIN_UNREACHABLE', { urls: master?.name ?? '', waited: '10s' }));
      const silence = clock.after(ANSWER_MS, () => life.run(unreachable));
      const answer = (tell: () => void) => {
        const { delayMs, isLost } = this.world.weather(name, 'in', 'door');
        if (isLost) return;
        clock.after(delayMs, () =>
          life.run(() => {
            silence.cancel();
            tell();
          }),
        );
      };
      const arrive = () => {
        const isOpen = master?.atDoor((desk, alive) => {
          void work(desk).then(
            (value) => alive(() => answer(() => resolve(value))),
            (error: unknown) => alive(() => answer(() => reject(error as Error))),
          );
        });
        if (isOpen !== true) answer(unreachable);
      };
      const { delayMs, isLost, isDoubled } = this.world.weather(name, 'out', 'door');
      if (isLost) return;
      for (let copies = isDoubled ? 2 : 1; copies > 0; copies--) clock.after(delayMs * copies, arrive);
    });
  }
}
