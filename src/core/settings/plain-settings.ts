/**
 * `plainSettings` makes settings from plain YAML files: each file is a mapping, and they are merged in the order of
 * their names, the later on top. They are not templates, and there is no top file: this is for a directory of a machine that
 * is no settings tree. Pure.
 */
import { zesterError } from '../errors/zester-error.ts';
import { readYamlNode } from '../states/template/yaml-value.ts';
import type { YamlMapping } from '../yaml/yaml-node.ts';
import { DEFAULT_MERGE_RULE } from './merge-rule.ts';
import { fileMerge, mergeParts, type ResolvedSettings, resolvedFrom } from './resolved-settings.ts';
import { mappingLayer } from './settings-layer.ts';

export interface PlainFile {
  /** For messages and for the order. */
  readonly name: string;
  readonly text: string;
}

/** Whether a file of a directory is one of settings. */
export function isPlainSettings(name: string): boolean {
  return /^[^.].*\.(?:ya?ml|zy|sls)$/.test(name);
}

/** `dir`: where the files are. Throws YAML_INVALID with the place, or SETTINGS_NOT_A_MAP. */
export function plainSettings(files: readonly PlainFile[], dir: string): ResolvedSettings {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  const layers = sorted.map((file) =>
    mappingLayer(rootOf(file), {
      ref: file.name,
      file: file.name,
      broughtBy: { file: dir },
      chain: [],
      pattern: '',
      place: (line, column) => ({ file: file.name, line, column }),
    }),
  );
  return resolvedFrom(mergeParts(layers.map(fileMerge), DEFAULT_MERGE_RULE));
}

function rootOf({ name, text }: PlainFile): YamlMapping {
  const root = readYamlNode(text, name);
  if (root?.kind === 'mapping') return root;
  if (root === undefined || (root.kind === 'scalar' && root.value.type === 'null'))
    return { kind: 'mapping', at: { line: 1, column: 1 }, entries: [] };
  throw zesterError('SETTINGS_NOT_A_MAP', { file: name }, { at: { file: name, line: 1, column: 1 } });
}
