/**
 * `SimOperator` is the person who keeps the source trees on the disks of the masters: edits some files, adds and removes
 * others, rotates a secret; saves a file half-written and again a moment later; makes mistakes and mends them; loses a
 * whole directory for a while, as an unmounted volume does. Mostly at the master that publishes, sometimes with a tool that
 * brings a tree to all of them, sometimes at the wrong one. When the newest tree is still not published after a while, the
 * operator brings it to every master and says that it counts (`zester files publish --force`).
 *
 * Each edit is one step: between two of them every disk holds a tree that is known.
 */
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import {
  editedSettings,
  editedStates,
  FIRST_SETTINGS,
  FIRST_STATES,
  isPublishable,
  rotated,
  SECRETS,
  type SettingsModel,
  type StatesModel,
} from './site-model.ts';
import { settingsTree, statesTree } from './site-trees.ts';
import type { SourceBook } from './source-book.ts';
import { SOURCE_NAMES, type SourceDisk, type SourceName } from './source-disk.ts';

export interface SourceModels {
  readonly states: StatesModel;
  readonly settings: SettingsModel;
}

export interface OperatorParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly disks: readonly SourceDisk[];
  readonly sources: { readonly [Name in SourceName]: SourceBook<SourceModels[Name]> };
  /** The tree that is published. */
  readonly newest: (name: SourceName) => SourceModels[SourceName] | undefined;
  /** The node that holds the lease, as far as one knows. */
  readonly publisher: () => string | undefined;
  readonly askToPublish: (force: boolean) => void;
  readonly askToSeal: () => void;
  readonly lookAtFiles: () => void;
  readonly note: (what: string) => void;
}

/** Out of a hundred acts. */
const SHARES = {
  'edits states': 39,
  'edits settings': 20,
  'rotates a secret': 10,
  'saves half a file': 8,
  'breaks settings': 5,
  'puts a secret into a state file': 2,
  'loses a directory': 8,
  'asks to publish': 2,
  'seals secrets anew': 2,
  'looks at files and secrets': 4,
};
type ActName = keyof typeof SHARES;

const ALL_MASTERS = 0.25;
const WRONG_MASTER = 0.1;
/** Between the masters that one tool brings a tree to. */
const SPREAD_MS_MAX = 3_000;
const HALF_MS_MAX = 6_000;
const MISTAKE_MS_MAX = 30_000;
const AWAY_MS_MAX = 40_000;
/** How often the operator looks whether the newest is published, and how long that may take. */
const LOOK_MS = 10_000;
const PATIENCE_MS = 45_000;
const FORCE_AFTER_MS = 2_000;

export class SimOperator {
  /** What ought to be published. */
  private models: SourceModels = { states: FIRST_STATES, settings: FIRST_SETTINGS };
  private readonly parts: OperatorParts;
  private readonly editedMs: Record<SourceName, number> = { states: 0, settings: 0 };
  private version = 1;

  constructor(parts: OperatorParts) {
    this.parts = parts;
    for (const name of SOURCE_NAMES) this.bring(name, parts.disks, 0);
    this.keepLooking();
  }

  get wanted(): SourceModels {
    return this.models;
  }

  workUntil(untilMs: number, everyMs: number): void {
    const { clock, random } = this.parts;
    clock.after(-Math.log(1 - random.fraction()) * everyMs, () => {
      if (clock.monotonicMs() > untilMs) return;
      this.act(drawnAct(this.draw()));
      this.workUntil(untilMs, everyMs);
    });
  }

  /** The last edit, without a mistake and on every master: this is what all must come to. */
  finish(): void {
    const { disks } = this.parts;
    for (const disk of disks) for (const name of SOURCE_NAMES) disk.comeBack(name);
    this.say('makes the last edit');
    this.models = {
      states: editedStates(this.models.states, ++this.version, this.draw),
      settings: rotated(rotated(this.models.settings, 'login', this.version), 'token', this.version),
    };
    for (const name of SOURCE_NAMES) this.bring(name, disks, 0);
  }

  private readonly draw = () => this.parts.random.fraction();

  private act(name: ActName): void {
    this.say(name);
    this.acts[name](++this.version);
  }

  private readonly acts: Readonly<Record<ActName, (version: number) => void>> = {
    'edits states': (version) => this.edit({ states: editedStates(this.models.states, version, this.draw) }),
    'edits settings': (version) =>
      this.edit({ settings: editedSettings(this.models.settings, version, this.draw) }),
    'rotates a secret': (version) => {
      const secret = SECRETS[Math.floor(this.draw() * SECRETS.length)] ?? 'login';
      this.edit({ settings: rotated(this.models.settings, secret, version) });
    },
    'saves half a file': (version) => {
      const half = { main: version, more: version, isHalf: true };
      this.mistake({ states: { ...this.models.states, ...half } }, HALF_MS_MAX);
    },
    'breaks settings': (version) => {
      const broken =
        this.draw() < 0.5
          ? ({ even: version, broken: 'open' } as const)
          : ({ odd: version, broken: 'sealed' } as const);
      this.mistake({ settings: { ...this.models.settings, ...broken } }, MISTAKE_MS_MAX);
    },
    'puts a secret into a state file': (version) =>
      this.mistake({ states: { ...this.models.states, main: version, leaks: true } }, MISTAKE_MS_MAX),
    'loses a directory': () => this.loseDirectory(),
    'asks to publish': () => this.parts.askToPublish(false),
    'seals secrets anew': () => this.parts.askToSeal(),
    'looks at files and secrets': () => this.parts.lookAtFiles(),
  };

  private edit(change: Partial<SourceModels>): void {
    this.models = { ...this.models, ...change };
    const places = this.drawnDisks();
    for (const name of SOURCE_NAMES) if (change[name] !== undefined) this.bring(name, places, SPREAD_MS_MAX);
  }

  /** Until the next edit of the same tree, which mends it; at the latest in a while. */
  private mistake(change: Partial<SourceModels>, lastsMsMax: number): void {
    this.edit(change);
    const made = this.models;
    this.parts.clock.after(this.draw() * lastsMsMax, () => {
      if (change.states !== undefined && this.models.states === made.states) this.act('edits states');
      if (change.settings !== undefined && this.models.settings === made.settings) this.act('edits settings');
    });
  }

  private loseDirectory(): void {
    const { clock } = this.parts;
    const name = this.draw() < 0.5 ? 'states' : 'settings';
    for (const disk of this.drawnDisks()) {
      disk.goAway(name);
      clock.after(this.draw() * AWAY_MS_MAX, () => disk.comeBack(name));
    }
  }

  private drawnDisks(): readonly SourceDisk[] {
    const { disks, publisher } = this.parts;
    const fate = this.draw();
    if (fate < ALL_MASTERS) return disks;
    const wrong =
      fate < ALL_MASTERS + WRONG_MASTER ? disks[Math.floor(this.draw() * disks.length)] : undefined;
    const one = wrong ?? disks.find(({ node }) => node === publisher()) ?? disks[0];
    return one === undefined ? [] : [one];
  }

  /** Puts the tree that is wanted at that moment on these disks, one after another. */
  private bring(name: SourceName, disks: readonly SourceDisk[], spreadMs: number): void {
    const { clock } = this.parts;
    this.editedMs[name] = clock.monotonicMs();
    for (const [index, disk] of disks.entries()) {
      if (index === 0 || spreadMs === 0) this.put(name, disk);
      else clock.after(this.draw() * spreadMs, () => this.put(name, disk));
    }
  }

  private put(name: SourceName, disk: SourceDisk): void {
    const { sources } = this.parts;
    const { states, settings } = this.models;
    if (name === 'states') sources.states.edited(states);
    else sources.settings.edited(settings);
    disk.put(name, name === 'states' ? statesTree(states) : settingsTree(settings, 'source'));
  }

  private keepLooking(): void {
    this.parts.clock.after(LOOK_MS, () => {
      const overdue = SOURCE_NAMES.filter((name) => this.isOverdue(name));
      if (overdue.length > 0) this.force(overdue);
      this.keepLooking();
    });
  }

  private isOverdue(name: SourceName): boolean {
    const { newest, clock } = this.parts;
    const wanted = this.models[name];
    if (!isPublishable(wanted) || newest(name) === wanted) return false;
    return clock.monotonicMs() - this.editedMs[name] > PATIENCE_MS;
  }

  /** Force is about every set: so every master gets the newest tree of each before. */
  private force(overdue: readonly SourceName[]): void {
    const { newest, clock, disks, askToPublish } = this.parts;
    this.say(`brings ${overdue.join(' and ')} to every master`);
    for (const name of SOURCE_NAMES) this.bring(name, disks, 0);
    const wanted = this.models;
    clock.after(FORCE_AFTER_MS, () => {
      if (overdue.some((name) => newest(name) !== wanted[name])) askToPublish(true);
    });
  }

  private say(what: string): void {
    const { states, settings } = this.models;
    this.parts.note(
      `${what}; states ${states.main}, settings ${settings.base} ${settings.odd} ${settings.even}`,
    );
  }
}

function drawnAct(fraction: number): ActName {
  let left = fraction * 100;
  for (const [name, share] of Object.entries(SHARES)) {
    left -= share;
    if (left < 0) return name as ActName;
  }
  return 'edits states';
}
