/** `readYamlValue` reads a YAML text as plain data: settings, and facts that somebody wrote down. Keys become text. */
import { FORBIDDEN_KEY, type WireValue } from '../../../wire/msgpack/wire-value.ts';
import { zesterError } from '../../errors/zester-error.ts';
import { forbiddenKey, valueOfYaml } from '../../params/yaml-arguments.ts';
import { loadYaml } from '../../yaml/load-yaml.ts';

/** Throws YAML_INVALID with the place where it is wrong. An empty text is null. */
export function readYamlValue(text: string, name: string): WireValue {
  const { root } = loadYaml(text, { name });
  if (root === undefined) return null;
  const forbidden = forbiddenKey(root);
  if (forbidden !== undefined)
    throw zesterError(
      'YAML_INVALID',
      { problem: `${FORBIDDEN_KEY} cannot be a key` },
      { at: { file: name, ...forbidden.at } },
    );
  return valueOfYaml(root);
}
