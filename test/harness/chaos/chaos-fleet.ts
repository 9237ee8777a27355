/** A chaos fleet is a fleet of real processes, each behind a line of its own, to which trouble can be done and undone. */
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { Line } from '../line.ts';
import type { FleetProgram } from '../programs/fleet-program.ts';
import { type FleetMaster, ProcessFleet } from '../programs/process-fleet.ts';
import type { Trouble } from './schedule.ts';

/** From when to when somebody was in trouble, by the wall clock; in the store's own name for a master. */
export interface TroubledTime {
  readonly trouble: Trouble;
  readonly masterId: string | undefined;
  readonly fromMs: number;
  /** Undefined while it lasts. For a master: until it takes jobs again. */
  readonly toMs: number | undefined;
}

export const SERVER = 'nats';
const STARTED_AT_A_TIME = 4;

export class ChaosFleet {
  readonly fleet = new ProcessFleet();
  readonly troubled: TroubledTime[] = [];
  private readonly lines = new Map<string, Line>();

  get masters(): readonly FleetMaster[] {
    return this.fleet.masters;
  }

  get peelIds(): string[] {
    return this.fleet.peels.map(({ name }) => name);
  }

  async open(counts: { readonly masters: number; readonly peels: number }): Promise<void> {
    await this.fleet.open();
    for (let i = 0; i < counts.masters; i++)
      await this.fleet.master({ url: await this.line(`master-${i + 1}`) });
    const ids = Array.from({ length: counts.peels }, (_, i) => `peel-${String(i + 1).padStart(2, '0')}`);
    while (ids.length > 0)
      await Promise.all(
        ids.splice(0, STARTED_AT_A_TIME).map(async (id) => this.fleet.peel(id, { url: await this.line(id) })),
      );
  }

  async close(): Promise<void> {
    await this.fleet.close();
    await Promise.all([...this.lines.values()].map((line) => line.close()));
  }

  /** Does it, waits, undoes it. Resolves when the victim is well again. */
  async suffer(trouble: Trouble, lasting: (ms: number) => Promise<void>): Promise<void> {
    const program = this.program(trouble.victim);
    const fromMs = systemClock.nowMs();
    const masterId = this.masters.find(({ name }) => name === trouble.victim)?.masterId;
    const index = this.troubled.push({ trouble, masterId, fromMs, toMs: undefined }) - 1;
    await this.begin(trouble, program);
    await lasting(trouble.forMs);
    await this.undo(trouble, program);
    this.troubled[index] = { trouble, masterId, fromMs, toMs: systemClock.nowMs() };
  }

  private async begin({ kind, victim }: Trouble, program: FleetProgram | undefined): Promise<void> {
    if (kind === 'partition') for (const line of this.linesOf(victim)) line.swallow('both ways');
    else if (program === undefined)
      await (kind === 'kill' ? this.fleet.server.kill9() : this.signalServer('SIGSTOP'));
    else if (kind === 'kill') await program.kill9();
    else if (kind === 'stop') await program.stop();
    else program.freeze();
  }

  private async undo({ kind, victim }: Trouble, program: FleetProgram | undefined): Promise<void> {
    if (kind === 'partition') for (const line of this.linesOf(victim)) line.cut();
    else if (program === undefined)
      await (kind === 'kill' ? this.fleet.server.restart() : this.signalServer('SIGCONT'));
    else if (kind === 'freeze') program.thaw();
    else program.launch();
    // A master that starts while the server is away waits for it.
    if (program !== undefined && kind !== 'freeze' && kind !== 'partition') await program.ready();
  }

  private program(victim: string): FleetProgram | undefined {
    return [...this.fleet.masters, ...this.fleet.peels].find(({ name }) => name === victim);
  }

  private linesOf(victim: string): Line[] {
    const line = this.lines.get(victim);
    return line === undefined ? [...this.lines.values()] : [line];
  }

  private async signalServer(signal: NodeJS.Signals): Promise<void> {
    process.kill(this.fleet.server.pid, signal);
    await Promise.resolve();
  }

  private async line(victim: string): Promise<string> {
    const line = await Line.to(this.fleet.server.port);
    this.lines.set(victim, line);
    return line.url;
  }
}
