/**
 * These are Salt's filters that write data as YAML, JSON or Python, and read it back. Whole YAML documents are for the
 * host.
 */
import { encodeBase64 } from '../../../base64.ts';
import { isUndefined } from '../../render/undefined.ts';
import { Dict } from '../../values/container/dict.ts';
import { Float, floatText } from '../../values/number/float.ts';
import { repr, str } from '../../values/print.ts';
import { Bytes } from '../../values/text/bytes.ts';
import { Markup, textOf } from '../../values/text/markup.ts';
import { truthy } from '../../values/truthy.ts';
import { typeName } from '../../values/type-name.ts';
import { PythonError, type RenderContext, type Value } from '../../values/value.ts';
import { prettyPrint } from '../filters/pretty-print.ts';
import { bounded, callMethod } from '../filters/text-values.ts';
import { needed } from '../host-need.ts';
import { jsonText } from '../json-text.ts';
import { type LibraryFunction, saltFilter, signature } from '../library-function.ts';
import { parseJson } from '../parse-json.ts';
import { doubleQuoted, singleQuoted } from './yaml-scalar.ts';

export const SALT_SERIALIZE_FILTERS: readonly LibraryFunction[] = [
  saltFilter(
    'yaml',
    signature('format_yaml', ['value', ['flow_style', true]]),
    ([value, flowStyle], render) => yamlText(value, truthy(flowStyle), 'yaml', render),
  ),
  saltFilter(
    'dict_to_sls_yaml_params',
    signature('dict_to_sls_yaml_params', ['value', ['flow_style', false]]),
    ([value, flowStyle], render) =>
      yamlText(onePerKey(value, render), truthy(flowStyle), 'dict_to_sls_yaml_params', render),
  ),
  saltFilter(
    'json',
    signature('format_json', ['value', ['sort_keys', true], ['indent', null]]),
    ([value, sortKeys, indent], render) => {
      const options = { sortKeys: truthy(sortKeys), indent, ensureAscii: false };
      return new Markup(jsonText(value, options, render).trim());
    },
  ),
  saltFilter(
    'python',
    signature('format_python', ['value']),
    ([value], render) => new Markup(prettyPrint(value, render).trim()),
  ),
  saltFilter('yaml_dquote', signature('yaml_dquote', ['text']), ([text], render) =>
    bounded(doubleQuoted(str(text)), render),
  ),
  saltFilter('yaml_squote', signature('yaml_squote', ['text']), ([text], render) =>
    bounded(singleQuoted(str(text)), render),
  ),
  saltFilter('yaml_encode', signature('yaml_encode', ['data']), ([data], render) =>
    bounded(yamlScalar(data), render),
  ),
  saltFilter('load_yaml', signature('load_yaml', ['value']), ([value], render) =>
    needed(render.host.loadYaml, 'loadYaml', "the filter 'load_yaml'")(wantText(value, 'yaml')),
  ),
  saltFilter('load_json', signature('load_json', ['value']), ([value]) => {
    const data = parseJson(wantText(value, 'json'));
    if (data === undefined) throw cannotLoad(value, 'json');
    return data;
  }),
];

/** PyYAML marks the end of a document that is a lone scalar; Salt takes the mark away. */
function yamlText(value: Value, flow: boolean, filter: string, render: RenderContext): Markup {
  const dump = needed(render.host.dumpYaml, 'dumpYaml', `the filter '${filter}'`);
  return new Markup(
    bounded(
      dump(value, { flow })
        .trim()
        .replace(/\n\.\.\.$/, ''),
      render,
    ),
  );
}

function onePerKey(value: Value, render: RenderContext): Value {
  if (!(value instanceof Dict)) callMethod(value, 'items', [], render);
  return value instanceof Dict ? Array.from(value.entries(), (pair) => Dict.of([pair])) : [];
}

function yamlScalar(data: Value): string {
  if (isUndefined(data)) data.fail();
  const text = textOf(data);
  if (text !== undefined) return doubleQuoted(text);
  if (data === null) return 'null';
  if (typeof data === 'boolean') return data ? 'true' : 'false';
  if (typeof data === 'number' || typeof data === 'bigint') return repr(data);
  if (data instanceof Float) return yamlFloat(data.value);
  if (data instanceof Bytes) return `${encodeBase64(data.bytes)}\n`;
  throw new PythonError(
    'TypeError',
    `yaml_encode() only works with YAML scalar data; failed for <class '${typeName(data)}'>`,
  );
}

function yamlFloat(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  const text = floatText(value);
  return text.includes('.') ? text : text.replace('e', '.0e');
}

function wantText(value: Value, format: string): string {
  const text = textOf(value);
  if (text === undefined) throw cannotLoad(value, format);
  return text;
}

function cannotLoad(value: Value, format: string): PythonError {
  return new PythonError('TemplateRuntimeError', `Unable to load ${format} from ${str(value)}`);
}
