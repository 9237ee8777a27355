/** Salt's filters on texts and single values; the vectors are written by hand from Salt's documentation. */
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../../test/harness/states/printed-expression.ts';
import { templateRegex } from '../../../templates/template-regex.ts';

describe('to_bool', () => {
  it.each([
    ["'yes'", 'True'],
    ["'True'", 'True'],
    ["'1'", 'True'],
    ["'no'", 'False'],
    ["''", 'False'],
    ['1', 'True'],
    ['0', 'False'],
    ['-1', 'False'],
    ['none', 'False'],
    ['true', 'True'],
    ['[0]', 'True'],
    ['{}', 'False'],
    ['1.5', 'False'],
    ['missing', 'False'],
  ])('%s is %s', (value, expected) => {
    expect(printed(`${value}|to_bool`)).toBe(expected);
  });
});

describe('texts', () => {
  it.each([
    ["'simple'|quote", 'simple'],
    ["''|quote", "''"],
    ["'it is'|quote", "'it is'"],
    [`"it's"|quote`, `'it'"'"'s'`],
    ["'abcdEfghhIjkLmnoP'|to_snake_case", 'abcd_efghh_ijk_lmno_p'],
    ["'HTTPServerX'|to_snake_case", 'http_server_x'],
    ["'the_fox_jumped'|to_camelcase", 'theFoxJumped'],
    ["'the_fox_jumped'|to_camelcase(uppercamel=True)", 'TheFoxJumped'],
    ["'a__b'|to_camelcase", 'aB'],
    ["'0xabcd'|is_hex", 'True'],
    ["'xyzt'|is_hex", 'False'],
    ['5|is_hex', 'False'],
    ["'abcd'|contains_whitespace", 'False'],
    ["'ab cd'|contains_whitespace", 'True'],
    ["'abcd'|substring_in_list(['this', 'is', 'an abcd example'])", 'True'],
    ["'x'|substring_in_list(['a', 'b'])", 'False'],
    ["'5'|to_num", '5'],
    ["'5.5'|str_to_num", '5.5'],
    ["'five'|to_num", 'five'],
    ["'2G'|human_to_bytes", '2147483648'],
    ["'30MB'|human_to_bytes", '31457280'],
    ["'30MB'|human_to_bytes(handle_metric=True)", '30000000'],
    ["'64KiB'|human_to_bytes", '65536'],
    ["'1.5k'|human_to_bytes", '1536'],
    ["'2'|human_to_bytes(default_unit='K')", '2048'],
    ["'lots'|human_to_bytes", '0'],
    ["'foo'|skip", ''],
    ["'foo'|sequence", "['foo']"],
    ['[1]|sequence', '[1]'],
    ["{'a': 1}|sequence", "{'a': 1}"],
    ['(1, 2)|sequence', '(1, 2)'],
    ["[1, 2, 1, 3, 4]|method_call('index', 1, 1, 3)", '2'],
    ["'absaltba'|method_call('strip', 'ab')", 'salt'],
    ["6|method_call('bit_length')", '3'],
    ["6|method_call('bit_width')", 'None'],
    ["['a.b', 'c.d']|map('method_call', 'split', '.', 1)|list", "[['a', 'b'], ['c', 'd']]"],
    ["'/etc/salt/'|path_join('pillar', 'device1.sls')", '/etc/salt/pillar/device1.sls'],
    ["'/etc'|path_join('/a', '../b', '.')", '/etc/b'],
    ["'a//b/../c'|path_join", 'a/c'],
    ["'/'|path_join('..', 'x')", '/x'],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['5|quote', "TypeError: expected string or bytes-like object, got 'int'"],
    ['5|method_call', "TypeError: method_call() missing 1 required positional argument: 'f_name'"],
    ["5|method_call('constructor')()", "TypeError: 'NoneType' object is not callable"],
    ['missing|quote', "UndefinedError: 'missing' is undefined"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('check_whitelist_blacklist', () => {
  it.each([
    ['5|check_whitelist_blacklist(whitelist=[5, 6, 7])', 'False'],
    ['5|check_whitelist_blacklist(blacklist=[5, 6, 7])', 'True'],
    ['5|check_whitelist_blacklist', 'True'],
    ["'web1'|check_whitelist_blacklist(whitelist='web*')", 'True'],
    ["'web1'|check_whitelist_blacklist(['db*', 'web[0-9]'])", 'True'],
    ["'web1'|check_whitelist_blacklist(['web*'], ['*1'])", 'False'],
    ["'web12'|check_whitelist_blacklist('web[0-9]+')", 'True'],
    ["'web12x'|check_whitelist_blacklist('web[0-9]+')", 'False'],
    ["'a'|check_whitelist_blacklist('(')", 'False'],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression, { host: { regex: templateRegex } })).toBe(expected);
  });

  it('works without regular expressions where the host has none', () => {
    expect(printed("'web1'|check_whitelist_blacklist('web[0-9]')")).toBe('True');
    expect(printed("'web12'|check_whitelist_blacklist('web[0-9]+')")).toBe('False');
  });

  it('wants a list', () => {
    expect(failure('5|check_whitelist_blacklist(5)')).toBe(
      'TypeError: Expecting iterable whitelist, but got int (5)',
    );
  });
});
