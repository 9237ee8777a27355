/** These functions read a YAML text as data: settings, and facts that somebody wrote down. */
import { FORBIDDEN_KEY } from '../../../wire/msgpack/wire-value.ts';
import { dataOfYaml } from '../../data/data-of-yaml.ts';
import type { DataValue } from '../../data/data-value.ts';
import { zesterError } from '../../errors/zester-error.ts';
import { forbiddenKey } from '../../params/yaml-arguments.ts';
import { loadYaml } from '../../yaml/load-yaml.ts';
import type { YamlNode } from '../../yaml/yaml-node.ts';

/** Throws YAML_INVALID with the place where it is wrong. An empty text is null. */
export function readYamlValue(text: string, name: string): DataValue {
  const root = readYamlNode(text, name);
  return root === undefined ? null : dataOfYaml(root);
}

/** The same with the places of everything. An empty text is undefined. */
export function readYamlNode(text: string, name: string): YamlNode | undefined {
  const { root } = loadYaml(text, { name });
  const forbidden = root === undefined ? undefined : forbiddenKey(root);
  if (forbidden !== undefined)
    throw zesterError(
      'YAML_INVALID',
      { problem: `${FORBIDDEN_KEY} cannot be a key` },
      { at: { file: name, ...forbidden.at } },
    );
  return root;
}
