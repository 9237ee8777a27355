/** Errors of settings: what keeps a peel from knowing them. No states run without their settings. */
import type { ErrorSpec } from './error-spec.ts';

export const SETTINGS_ERRORS = {
  SETTINGS_INVALID: {
    exit: 2,
    http: 422,
    text: 'the settings cannot be used, {count} found:\n{problems}',
    meaning:
      'Files of settings have mistakes. All of them are told with their place in the file that was written. No states run without their settings.',
    hint: 'mend the files at the places shown; `zester lint` with --settings finds the same without a peel',
  },
  SETTINGS_SECRETS_MISSING: {
    exit: 2,
    http: 503,
    text: 'settings: resolve for peel {peel}: unresolved secret placeholders for keys: {keys}',
    meaning:
      'The settings of this peel name secrets that were not sealed for it, or not yet. No states run without their settings.',
    hint: 'wait a moment if they were just published; a secret is sealed only for peels that the top file names by their ids',
  },
  SETTING_NOT_A_MAP: {
    exit: 2,
    http: 404,
    text: '{key} has no keys: {problem}{suggestion}',
    meaning: 'The keys of a setting were asked for that is not there, or is no map.',
    hint: "look at what the peel has: `zester '<peel>' settings.items`",
  },
  SETTINGS_NOT_HERE: {
    exit: 2,
    http: 503,
    text: 'the settings of this peel are not known yet: {reason}',
    meaning:
      'The peel has not seen the published settings, nor whether there are any, and it knows none from before. No states run without their settings.',
    hint: 'try again in a moment; `zester files status` says which files each peel has',
  },
  SETTINGS_TEMPLATE_ACTION: {
    exit: 2,
    http: 422,
    text: '{function} would change the machine or start a program, and settings can only look',
    meaning:
      'A file of settings calls an execution function that acts. Settings are resolved whenever somebody asks for them, so they may only call functions that look. No states run without their settings.',
    hint: 'put what it finds out into a fact, and use that; `sys.doc {function}` says what it does',
  },
  SETTINGS_UNFINISHED: {
    exit: 2,
    http: 422,
    text: 'a file of settings asks for the settings by a function, and they are still in the making',
    meaning:
      'A template in a file of settings calls a function such as settings.raw, which needs all settings. No states run without their settings.',
    hint: 'take what the files before it have set: `settings.x`, `pillar.x` or the function pillar_get',
  },
  SETTINGS_NOT_A_MAP: {
    exit: 2,
    http: 422,
    text: '{file} is not a mapping of settings',
    meaning: 'A file of settings holds a list or a single value. No states run without their settings.',
    hint: 'write `name: value` lines',
  },
  SETTINGS_UNREADABLE: {
    exit: 2,
    http: 500,
    text: 'the settings directory {dir} cannot be used: {reason}',
    meaning:
      'The peel was given a directory of settings that is not there. No states run without their settings.',
    hint: 'create the directory, or correct --settings',
  },
} as const satisfies Record<string, ErrorSpec>;
