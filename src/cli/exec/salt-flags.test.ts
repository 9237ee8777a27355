import { describe, expect, it } from 'vitest';
import { parseTarget } from '../../core/target/parse-target.ts';
import { commandMeant } from '../words-meant.ts';
import { execCommand } from './exec-command.ts';
import { parseExecWords } from './exec-words.ts';

describe("Salt's flags", () => {
  it.each([
    [['-G', 'os:debian', 'test.ping'], 'G@os:debian'],
    [['os:debian', '-G', 'test.ping'], 'G@os:debian'],
    [['-E', '^(web|db)-', 'test.ping'], 'E@^(web|db)-'],
    [['-E', 'web( |-)1', 'test.ping'], '"E@web( |-)1"'],
    [['-G', 'rack:row "7"', 'test.ping'], '\'G@rack:row "7"\''],
    [['-L', 'web-01,web-02', 'test.ping'], 'L@web-01,web-02'],
    [['-C', 'G@os:debian and not db-*', 'test.ping'], 'G@os:debian and not db-*'],
  ])('%j means %s', (words, target) => {
    expect(commandMeant(words)).toBe(execCommand);
    expect(parseExecWords(words)).toMatchObject({ target, functionName: 'test.ping' });
    expect(() => parseTarget(target)).not.toThrow();
  });

  it.each([
    [['-I', 'role:web', 'test.ping'], 'not there yet'],
    [['-S', '10.1.0.0/16', 'test.ping'], 'G@default_ipv4:10.1.*'],
    [['-R', '%web', 'test.ping'], 'E@^web-'],
    [['-N', 'web', 'test.ping'], 'G@group:web'],
    [['-t', '30', '*', 'test.ping'], '--timeout 30s'],
    [['-G'], 'there is no target behind -G'],
    [['-G', `a:'"`, 'test.ping'], 'both kinds of quotes'],
  ])('%j is explained', (words, part) => {
    expect(commandMeant(words)).toBe(execCommand);
    expect(() => parseExecWords(words)).toThrow(part);
  });

  it('behind the function a dash belongs to what runs there', () => {
    expect(parseExecWords(['*', 'cmd.run', 'df', '-G']).id).toBe('df -G');
  });
});
