/**
 * These are the state files and settings that simulated machines were built with: what their peels use until they have
 * the published ones. Version 0 of everything, and no secret.
 */
import { CONSTANT_SETTINGS } from '../states/sim-states.ts';
import { BAKED_STATES } from './site-model.ts';
import { statesTree } from './site-trees.ts';

export const BAKED_STATES_DIR = '/opt/baked/states';
export const BAKED_SETTINGS_DIR = '/opt/baked/settings';

export const BAKED_FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...statesTree(BAKED_STATES)].map(([path, text]) => [`${BAKED_STATES_DIR}/${path}`, text]),
  ),
  [`${BAKED_SETTINGS_DIR}/site.yaml`]: `${CONSTANT_SETTINGS}base_stamp: 0\nrole_stamp: 0\nseen: 0\nlogin: none\ntokens:\n  t0: none\n`,
};
