/**
 * These are Salt's filters that write data as YAML, JSON or Python, and read it back. Whole YAML documents are for the
 * host.
 */
import { encodeBase64 } from '../../../base64.ts';
import { TemplateModule } from '../../render/module.ts';
import { isUndefined } from '../../render/undefined.ts';
import { Dict } from '../../values/container/dict.ts';
import { toArray } from '../../values/container/iterate.ts';
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
import { htmlSafeJson, jsonText } from '../json-text.ts';
import {
  bindValues,
  type LibraryFunction,
  type Signature,
  saltFilter,
  signature,
} from '../library-function.ts';
import { parseJson } from '../parse-json.ts';
import { strictOnly } from './undefined-inside.ts';
import { xmlText } from './xml-text.ts';
import { doubleQuoted, singleQuoted } from './yaml-scalar.ts';

/** Salt has these as methods of its extension, which Python names and counts in its messages. */
function ofExtension(name: string, parameters: Parameters<typeof signature>[1]): Signature {
  return signature(`SerializerExtension.${name}`, parameters, 'self');
}

const TOJSON = signature('tojson', ['val', ['indent', null]]);
const TOJSON_OPTIONS: ReadonlySet<string> = new Set(['sort_keys', 'ensure_ascii', 'separators']);

/** Other than Jinja2's filter of that name: the order of keys stays, the result is no Markup, and it takes options. */
const tojson: LibraryFunction = {
  name: 'tojson',
  origin: 'salt',
  call(input, args, render) {
    const given = (name: string, otherwise: Value): Value => args.named.get(name) ?? otherwise;
    const bound = new Map([...args.named].filter(([name]) => name === 'val' || name === 'indent'));
    const [value, indent] = bindValues(TOJSON, input, { ...args, named: bound });
    for (const name of args.named.keys())
      if (!bound.has(name) && !TOJSON_OPTIONS.has(name))
        throw new PythonError(
          'TypeError',
          `JSONEncoder.__init__() got an unexpected keyword argument '${name}'`,
        );
    const options = {
      sortKeys: truthy(given('sort_keys', false)),
      indent: indent ?? null,
      ensureAscii: truthy(given('ensure_ascii', true)),
      ...separatorsOf(given('separators', null)),
    };
    return bounded(htmlSafeJson(jsonText(value ?? null, options, render)), render);
  },
};

function separatorsOf(separators: Value): { readonly between?: string; readonly afterKey?: string } {
  if (separators === null) return {};
  const [between = '', afterKey = ''] = toArray(separators).map(str);
  return { between, afterKey };
}

export const SALT_SERIALIZE_FILTERS: readonly LibraryFunction[] = [
  strictOnly(
    saltFilter(
      'yaml',
      ofExtension('format_yaml', ['value', ['flow_style', true]]),
      ([value, flowStyle], render) => yamlText(value, truthy(flowStyle), 'yaml', render),
    ),
  ),
  strictOnly(
    saltFilter(
      'dict_to_sls_yaml_params',
      ofExtension('dict_to_sls_yaml_params', ['value', ['flow_style', false]]),
      ([value, flowStyle], render) =>
        yamlText(onePerKey(value, render), truthy(flowStyle), 'dict_to_sls_yaml_params', render),
    ),
  ),
  strictOnly(
    saltFilter(
      'json',
      ofExtension('format_json', ['value', ['sort_keys', true], ['indent', null]]),
      ([value, sortKeys, indent], render) => {
        const options = { sortKeys: truthy(sortKeys), indent, ensureAscii: false };
        return new Markup(jsonText(value, options, render).trim());
      },
    ),
  ),
  strictOnly(tojson),
  strictOnly(
    saltFilter(
      'python',
      ofExtension('format_python', ['value']),
      ([value], render) => new Markup(prettyPrint(value, render).trim()),
    ),
  ),
  strictOnly(
    saltFilter(
      'xml',
      ofExtension('format_xml', ['value']),
      ([value], render) => new Markup(xmlText(value, render)),
    ),
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
  strictOnly(
    saltFilter('load_yaml', ofExtension('load_yaml', ['value']), ([value], render) =>
      needed(render.host.loadYaml, 'loadYaml', "the filter 'load_yaml'")(yamlSource(value)),
    ),
  ),
  strictOnly(saltFilter('load_json', ofExtension('load_json', ['value']), ([value]) => fromJson(value))),
  strictOnly(
    saltFilter('load_text', ofExtension('load_text', ['value']), ([value]) =>
      value instanceof TemplateModule ? value.text : value,
    ),
  ),
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

function yamlSource(value: Value): string {
  if (value instanceof TemplateModule) return value.text;
  if (typeof value === 'string') return value;
  // Markup is no str for PyYAML's reader in C.
  throw new PythonError('TypeError', 'a string or stream input is required');
}

function fromJson(value: Value): Value {
  const text = value instanceof TemplateModule ? value.text : textOf(value);
  const data = text === undefined ? undefined : parseJson(text);
  if (data === undefined)
    throw new PythonError('TemplateRuntimeError', `Unable to load json from ${str(value)}`);
  return data;
}
