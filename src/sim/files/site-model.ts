/**
 * A site model is what the operator of the simulation wants to be published, as numbers: which version each file of the
 * two source trees is of. The texts of the trees are made from it (site-trees.ts), and so is what a run of states has to
 * leave on a machine (site-meaning.ts), written a second time and without the product.
 *
 * Versions count up over a whole run, and a file that is changed gets the newest: so a set of files that never stood
 * together in a tree cannot look like one that did.
 */

/** Names that are ordinary, and names that a key cannot spell. */
const EXTRA_NAMES = ['alpha', 'beta.conf', 'b c', 'grün', '=odd', 'deep/er/file'] as const;

export interface StatesModel {
  /** The newest of all: this file is touched by every edit. */
  readonly main: number;
  readonly more: number;
  readonly page: number;
  /** Files of a directory that is copied as a whole, by name. */
  readonly extras: ReadonlyMap<string, number>;
  /** A file that is too large for a message; undefined: there is none. */
  readonly large: number | undefined;
  /** One file is half-written: the state files cannot be compiled. */
  readonly isHalf: boolean;
  /** Somebody put a secret into a state file, which every peel can read: it must not be published. */
  readonly leaks: boolean;
}

export interface SettingsModel {
  readonly base: number;
  readonly odd: number;
  readonly even: number;
  /** For all peels. */
  readonly login: number;
  /** For peels with an odd number. */
  readonly vault: number;
  /** For all peels; the key has its version in its name, so that a new one is a secret that no peel has had. */
  readonly token: number;
  /** `open`: a file without secrets has a mistake, it is published and peels that need it say so. `sealed`: one with secrets. */
  readonly broken: 'open' | 'sealed' | undefined;
}

export const FIRST_STATES: StatesModel = {
  main: 1,
  more: 1,
  page: 1,
  extras: new Map([['alpha', 1]]),
  large: undefined,
  isHalf: false,
  leaks: false,
};

export const FIRST_SETTINGS: SettingsModel = {
  base: 1,
  odd: 1,
  even: 1,
  login: 1,
  vault: 1,
  token: 1,
  broken: undefined,
};

/** What machines were built with, before anything was published. */
export const BAKED_STATES: StatesModel = {
  main: 0,
  more: 0,
  page: 0,
  extras: new Map(),
  large: undefined,
  isHalf: false,
  leaks: false,
};

export const BAKED_SETTINGS: SettingsModel = {
  base: 0,
  odd: 0,
  even: 0,
  login: 0,
  vault: 0,
  token: 0,
  broken: undefined,
};

/** Chance: a number from 0 to 1. */
export type Draw = () => number;

const CHANGED = 0.4;
const EXTRA_CHANGED = 0.3;
const LARGE_CHANGED = 0.08;
const LARGE_GONE = 0.04;

/** Some files change, come and go. An edit mends what was wrong. */
export function editedStates(states: StatesModel, version: number, draw: Draw): StatesModel {
  const changed = (before: number) => (draw() < CHANGED ? version : before);
  const extras = new Map(states.extras);
  for (const name of EXTRA_NAMES) {
    if (draw() >= EXTRA_CHANGED) continue;
    if (extras.has(name) && draw() < 0.5) extras.delete(name);
    else extras.set(name, version);
  }
  const fate = draw();
  const large = fate < LARGE_CHANGED ? version : fate < LARGE_CHANGED + LARGE_GONE ? undefined : states.large;
  return {
    main: version,
    more: changed(states.more),
    page: changed(states.page),
    extras,
    large,
    isHalf: false,
    leaks: false,
  };
}

export function editedSettings(settings: SettingsModel, version: number, draw: Draw): SettingsModel {
  const changed = (before: number) => (draw() < CHANGED ? version : before);
  const edited = {
    ...settings,
    odd: changed(settings.odd),
    even: changed(settings.even),
    broken: undefined,
  };
  return edited.odd === version || edited.even === version ? edited : { ...edited, base: version };
}

export const SECRETS = ['login', 'vault', 'token'] as const;

export function rotated(
  settings: SettingsModel,
  secret: (typeof SECRETS)[number],
  version: number,
): SettingsModel {
  const file = secret === 'vault' ? { odd: version } : { base: version };
  return { ...settings, ...file, [secret]: version, broken: undefined };
}

/** Whether a master may publish it. */
export function isPublishable(model: StatesModel | SettingsModel): boolean {
  return 'leaks' in model ? !model.leaks : model.broken !== 'sealed';
}
