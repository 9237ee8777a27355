/** The execution functions `pillar.*` show settings under the name that Salt users know. */
import { aliasOf, type ExecutionFunction } from '../contract.ts';
import { SETTINGS_FUNCTIONS } from '../settings/functions.ts';

export const PILLAR_FUNCTIONS: readonly ExecutionFunction[] = SETTINGS_FUNCTIONS.map((fn) =>
  aliasOf(fn, fn.name.replace('settings.', 'pillar.')),
);
