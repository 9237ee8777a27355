/**
 * `mergeSettings` makes settings from plain YAML files: each file is a mapping, and they are merged in the order of
 * their names, the later on top. Pure. They are not templates; that comes with settings that masters publish.
 */
import { type DataMap, isDataMap } from '../data/data-value.ts';
import { zesterError } from '../errors/zester-error.ts';
import { deepMerge } from './template/deep-merge.ts';
import { readYamlValue } from './template/yaml-value.ts';

export interface SettingsFile {
  /** For messages and for the order. */
  readonly name: string;
  readonly text: string;
}

/** Whether a file of a settings directory is one of settings. */
export function isSettingsFile(name: string): boolean {
  return /^[^.].*\.(?:ya?ml|zy|sls)$/.test(name);
}

/** Throws YAML_INVALID with the place, or SETTINGS_NOT_A_MAP. */
export function mergeSettings(files: readonly SettingsFile[]): DataMap {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.reduce<DataMap>((merged, file) => deepMerge(merged, settingsOf(file)), {});
}

function settingsOf({ name, text }: SettingsFile): DataMap {
  const data = readYamlValue(text, name);
  if (data === null) return {};
  if (isDataMap(data)) return data;
  throw zesterError('SETTINGS_NOT_A_MAP', { file: name }, { at: { file: name, line: 1, column: 1 } });
}
