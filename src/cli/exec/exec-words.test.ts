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
  ])('%j', (words, rest) => {
    expect(parseExecWords(words)).toEqual({ target: words[0], functionName: words[1], ...rest });
  });

  it.each([
    [[], 'there is no target'],
    [[''], 'there is no target'],
    [['web*'], 'what should web* do?'],
    [['web*', 'uptime'], 'uptime is not a function'],
    [['web*', 'facts.get', 'a', 'b'], 'takes one argument'],
    [['web*', 'facts.get', 'a=1', 'a=2'], 'a is given twice'],
  ])('%j is refused', (words, part) => {
    expect(() => parseExecWords(words)).toThrow(part);
  });
});
