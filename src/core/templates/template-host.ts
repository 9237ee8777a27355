/**
 * The template host is what the template engine needs from outside: YAML, regular expressions, and from the runtime
 * digests, chance and time. The state engine and `zester render` use the same.
 */
import { isZesterError } from '../errors/zester-error.ts';
import { type Host, PythonError, type Value } from '../jinja/values/value.ts';
import { dumpYaml } from '../yaml/dump-yaml.ts';
import { loadYaml } from '../yaml/load-yaml.ts';
import { yamlData } from '../yaml/yaml-data.ts';
import { templateRegex } from './template-regex.ts';
import { templateValueOfYaml, yamlOfValue } from './yaml-values.ts';

export type RuntimeAbilities = Pick<Host, 'digest' | 'hmac' | 'random' | 'nowMs'>;

export function templateHost(runtime: RuntimeAbilities): Host {
  return {
    ...runtime,
    loadYaml: readYaml,
    dumpYaml: (value, { flow, indent }) =>
      dumpYaml(yamlOfValue(value), { flow, allowUnicode: true, ...(indent === undefined ? {} : { indent }) }),
    regex: templateRegex,
  };
}

/** The place in the YAML is part of the message: the template's own place is where the YAML is read. */
function readYaml(text: string): Value {
  try {
    return templateValueOfYaml(yamlData(loadYaml(text, { name: 'yaml' }).root));
  } catch (error) {
    if (!isZesterError(error)) throw error;
    const failure = new PythonError(
      'TemplateRuntimeError',
      `Encountered error loading yaml: ${error.message} (line ${error.at?.line}, column ${error.at?.column} of the YAML)`,
    );
    failure.cause = error;
    throw failure;
  }
}
