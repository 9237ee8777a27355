import { describe, expect, it } from 'vitest';
import { parseExecWords } from './exec-words.ts';

describe('parseExecWords', () => {
  it.each([
    [['*', 'test.ping'], { id: '', args: {} }],
    [['web*', 'cmd.run', 'uptime'], { id: 'uptime', args: {} }],
    [['web*', 'cmd.run', 'ls', '-l', '/tmp'], { id: 'ls -l /tmp', args: {} }],
    [['web*', 'cmd.run', 'env A=1', 'cwd=/tmp'], { id: 'env A=1', args: { cwd: '/tmp' } }],
    [['web*', 'cmd.run', 'cwd=/tmp', 'ls'], { id: 'ls', args: { cwd: '/tmp' } }],
    [['*', 'facts.get', 'os.name', 'default=x=y'], { id: 'os.name', args: { default: 'x=y' } }],
    [['G@a:b', 'facts.set', 'role', 'value='], { id: 'role', args: { value: '' } }],
    [['*', 'facts.set', 'role', 'web'], { id: 'role', args: { value: 'web' } }],
    [
      ['*', 'pillar.item', 'web:port', 'users', 'default=x'],
      { id: 'web:port,users', args: { default: 'x' } },
    ],
    [
      ['*', 'state.single', 'file.directory', '/srv/x', 'mode=0700'],
      { id: 'file.directory', args: { name: '/srv/x', mode: '0700' } },
    ],
  ])('%j', (words, rest) => {
    expect(parseExecWords(words)).toEqual({ target: words[0], functionName: words[1], ...rest });
  });

  it.each([
    [[], 'there is no target'],
    [[''], 'there is no target'],
    [['web*'], 'what should web* do?'],
    [
      ['web*', 'uptime'],
      'uptime is not a function such as test.ping; to run it on the machine: cmd.run uptime',
    ],
    [
      ['test.ping'],
      "on which peels should test.ping run? The target is missing; for all of them: `zester '*' test.ping`",
    ],
    [['state.apply', 'web'], "for all of them: `zester '*' state.apply web`"],
    [['state.apply', 'web.nginx'], "for all of them: `zester '*' state.apply web.nginx`"],
    [['cmd.run', 'df -h', 'cwd=/'], "`zester '*' cmd.run 'df -h' cwd=/`"],
    [['web-01', 'web-02', 'test.ping'], 'web-02 is not a function; the target is one word: put it in quotes'],
    [
      ['a.md', 'b.md', 'src', 'test.ping'],
      'b.md is not a function; the target is one word: put it in quotes',
    ],
    [['*', 'test.ping', '-format', 'json'], 'options have two dashes'],
    [['*', 'pillar.item', 'web', '-format', 'json'], 'options have two dashes'],
    [['*', 'test'], 'test is not a function; there are test.check_pillar, '],
    [['web*', 'ping'], 'ping is not a function; did you mean test.ping?'],
    [['web*', 'facts.get', 'a', 'b'], 'takes one argument'],
    [['*', 'facts.set', 'a', 'b', 'c'], 'takes one argument'],
    [['*', 'facts.set', 'a', 'b', 'value=c'], 'value is given twice'],
    [['*', 'cmd.run', 'echo reboot', '-b', '1'], 'there is -b behind the text in quotes'],
    [['*', 'test.ping', '-b', '1'], 'there are no batches'],
    [['web*', 'facts.get', 'a=1', 'a=2'], 'a is given twice'],
  ])('%j is refused', (words, part) => {
    expect(() => parseExecWords(words)).toThrow(part);
  });
});
