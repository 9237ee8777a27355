/**
 * The meaning of a site is what a run of its stamped states leaves on a machine, worked out from the model alone: each file
 * names the versions of all that went into it. Secrets are apart, since a newer value may come before the settings that
 * brought it.
 */
import { canaryText } from './canaries.ts';
import type { SettingsModel, StatesModel } from './site-model.ts';
import { extraText, KEPT_EXTRA, largeText } from './site-trees.ts';

const isOdd = (peel: string) => /[13579]$/.test(peel);

/** By path below the directory of the run. */
export function stampedFiles(
  { main, more, page, extras, large }: StatesModel,
  settings: SettingsModel,
  peel: string,
): ReadonlyMap<string, string> {
  const { base } = settings;
  const role = isOdd(peel) ? settings.odd : settings.even;
  return new Map([
    ['main', `main ${main}\n`],
    ['more', `more ${more} base ${base} seen ${base}\n`],
    ['page', `# stamp ${page}\npage ${page} base ${base} role ${role}\n`],
    [`extra/${KEPT_EXTRA.name}`, KEPT_EXTRA.text],
    ...[...extras].map(([name, version]) => [`extra/${name}`, extraText(name, version)] as const),
    ...(large === undefined ? [] : [['large', largeText(large)] as const]),
  ]);
}

/** What the deployed secrets are, by name of the file; also what no other peel may have. */
export function secretFiles(
  { login, vault, token }: SettingsModel,
  peel: string,
): ReadonlyMap<string, string> {
  const files = new Map([
    ['login', `login ${canaryText({ secret: 'login', version: login }, 1)}\n`],
    ['token', `${canaryText({ secret: 'token', version: token }, 1)}\n`],
  ]);
  if (isOdd(peel)) files.set('vault', `${canaryText({ secret: 'vault', version: vault }, 2)}\n`);
  return files;
}

/** Whether a peel is given the secret, by its name or its path in the settings. */
export function mayHave(peel: string, secret: string): boolean {
  return /^(?:login|token|tokens\.t\d+)$/.test(secret) || (secret === 'vault' && isOdd(peel));
}

/** Settings that a peel cannot resolve fail every run of states on it. */
export function resolves({ broken }: SettingsModel, peel: string): boolean {
  return broken === undefined || (broken === 'open' && isOdd(peel));
}
