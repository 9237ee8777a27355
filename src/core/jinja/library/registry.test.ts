import { describe, expect, it } from 'vitest';
import { FILTERS, GLOBALS, SALT_OVERRIDES, TESTS } from './registry.ts';

/** All that Jinja2 3.1 has, by name. */
const JINJA_FILTERS =
  'abs attr batch capitalize center count d default dictsort e escape filesizeformat first float forceescape format ' +
  'groupby indent int items join last length list lower map max min pprint random reject rejectattr replace reverse ' +
  'round safe select selectattr slice sort string striptags sum title tojson trim truncate unique upper urlencode ' +
  'urlize wordcount wordwrap xmlattr';
const JINJA_TESTS =
  '!= < <= == > >= boolean callable defined divisibleby eq equalto escaped even false filter float ge greaterthan gt in ' +
  'integer iterable le lessthan lower lt mapping ne none number odd sameas sequence string test true undefined upper';
/** Those of Salt that are promised. */
const SALT_FILTERS =
  'append_dict_key_value avg base64_decode base64_encode check_whitelist_blacklist compare_dicts compare_lists ' +
  'contains_whitespace date_format dict_to_sls_yaml_params difference exactly_n_true exactly_one_true ' +
  'extend_dict_key_value flatten gen_mac hmac hmac_compute human_to_bytes intersect ip_host ipaddr ipv4 ipv6 is_hex ' +
  'is_ip is_ipv4 is_ipv6 is_iter is_list is_sorted json load_json load_yaml mac_str_to_bytes md5 method_call ' +
  'network_hosts network_size path_join python quote random_sample random_shuffle regex_escape regex_match ' +
  'regex_replace regex_search sequence set_dict_key_value sha1 sha256 sha512 skip sorted_ignorecase str_to_num strftime ' +
  'substring_in_list symmetric_difference to_bool to_bytes to_camelcase to_num to_snake_case traverse union ' +
  'update_dict_key_value uuid yaml yaml_dquote yaml_encode yaml_squote';

function namesOf(entries: ReadonlyMap<string, { readonly origin: string }>, origin: string): string {
  return [...entries]
    .filter(([, entry]) => entry.origin === origin)
    .map(([name]) => name)
    .sort()
    .join(' ');
}

describe('the registry', () => {
  it('has every filter and test of Jinja2, and nothing of its own under that origin', () => {
    expect(namesOf(FILTERS, 'jinja')).toBe(JINJA_FILTERS);
    expect(namesOf(TESTS, 'jinja')).toBe(JINJA_TESTS);
  });

  it('has the filters and tests of Salt that are promised', () => {
    expect(namesOf(FILTERS, 'salt')).toBe(SALT_FILTERS);
    expect(namesOf(TESTS, 'salt')).toBe('match');
  });

  it('knows every entry by its own name, aliases too', () => {
    for (const entries of [FILTERS, TESTS, SALT_OVERRIDES])
      for (const [name, entry] of entries) expect(entry.name).toBe(name);
  });

  it('has the globals of Jinja2, and raise of Salt', () => {
    expect([...GLOBALS.keys()].sort()).toEqual([
      'cycler',
      'dict',
      'joiner',
      'lipsum',
      'namespace',
      'raise',
      'range',
    ]);
  });

  it('offers what Salt has instead of a filter of Jinja2', () => {
    expect([...SALT_OVERRIDES.keys()]).toEqual(['unique']);
    expect([...SALT_OVERRIDES.keys()].every((name) => FILTERS.has(name))).toBe(true);
  });
});
