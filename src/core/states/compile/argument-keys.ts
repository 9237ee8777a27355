/**
 * These tables name the keys of a state's arguments that belong to the engine and never to a module: requisites,
 * attributes, `names` and `use`.
 */
import { REQUISITE_KINDS, type RequisiteKind } from '../compiled-state.ts';

export interface RequisiteKey {
  readonly kind: RequisiteKind;
  /** `require_in` and its like: the states that are named get the requisite, and it points at the state that names them. */
  readonly inverse: boolean;
}

/** `listen` waits for the end of the run in Salt; here it is a watch. */
const FORWARD: readonly (readonly [string, RequisiteKind])[] = [
  ...REQUISITE_KINDS.map((kind) => [kind, kind] as const),
  ['listen', 'watch'],
];

export const REQUISITE_KEYS: ReadonlyMap<string, RequisiteKey> = new Map(
  FORWARD.flatMap(([key, kind]): [string, RequisiteKey][] => [
    [key, { kind, inverse: false }],
    [`${key}_in`, { kind, inverse: true }],
  ]),
);

export const ATTRIBUTE_KEYS = ['onlyif', 'unless', 'order', 'retry', 'failhard'] as const;
export type AttributeKey = (typeof ATTRIBUTE_KEYS)[number];

export function isAttributeKey(key: string): key is AttributeKey {
  return (ATTRIBUTE_KEYS as readonly string[]).includes(key);
}

export const NAMES_KEY = 'names';

/** Of the state that takes arguments over, and of the one that gives them. */
export const USE_KEYS: readonly string[] = ['use', 'use_in'];

/** What the engine takes besides parameters, for "did you mean". */
export const ENGINE_KEYS: readonly string[] = [
  ...REQUISITE_KEYS.keys(),
  ...ATTRIBUTE_KEYS,
  NAMES_KEY,
  ...USE_KEYS,
];

/**
 * What Salt takes on every state and Zester does not. `harmless`: without it the state does the same, so a warning is
 * enough. A parameter of the same name that a module declares goes first.
 */
export const NOT_SUPPORTED: ReadonlyMap<string, { readonly harmless: boolean; readonly hint: string }> =
  new Map([
    ['parallel', { harmless: true, hint: 'states that do not wait for one another run together anyway' }],
    ['aggregate', { harmless: true, hint: 'remove it' }],
    [
      'backup',
      { harmless: true, hint: 'remove it: an apply keeps what was there, and state.revert brings it back' },
    ],
    ['reload_modules', { harmless: true, hint: 'remove it: there is nothing to load again' }],
    [
      'check_cmd',
      { harmless: false, hint: 'put the check into a cmd.run of its own that requires this state' },
    ],
    ['fire_event', { harmless: false, hint: 'remove it' }],
    ['creates', { harmless: false, hint: 'only commands have it: say it with `- unless: test -e …`' }],
  ]);
