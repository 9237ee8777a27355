import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hideFormer } from './former-secrets.ts';

const NOW = '[secret db.password]';
const patch = (before: string, after: string) => createTwoFilesPatch('a', 'b', before, after);

describe('a diff of a file with a secret', () => {
  it('does not show what stood where the secret stands now', () => {
    const diff = patch(
      'port 80\npassword former-one\nend\n\n\n\n\n\n\nold line\n',
      `port 80\npassword ${NOW}\nend\n\n\n\n\n\n\nnew line\n`,
    );
    const hidden = hideFormer(diff);
    expect(hidden).toBe(diff.replace('-password former-one', '-[not shown: a secret stands here now]'));
    expect(hidden).toContain('-old line');
    expect(hideFormer(hidden)).toBe(hidden);
  });

  it('does not show any of several lines, nor the last one without a newline', () => {
    const hidden = hideFormer(patch('one former\ntwo former', `${NOW}\n${NOW}`));
    expect(hidden).not.toContain('former');
  });

  it('shows the lines that the secret was added beside', () => {
    const diff = patch('first\nsecond\n', `first\n${NOW}\nsecond\n`);
    expect(hideFormer(diff)).toBe(diff);
  });

  it('keeps its head where the name of the file has a secret', () => {
    const diff = createTwoFilesPatch('/dev/null', `/srv/${NOW}`, '', 'new\n');
    expect(hideFormer(diff)).toBe(diff);
  });

  it('is as it was where there is no secret, and a line that begins with dashes is a line', () => {
    const diff = patch('-- old\n', '++ new\n');
    expect(hideFormer(diff)).toBe(diff);
    expect(hideFormer(patch('-- former\n', `++ ${NOW}\n`))).not.toContain('former');
  });

  it('never shows a former value in the line of the secret, whatever is around', () => {
    const word = fc.constantFrom('a', 'b', '-', '+', '', '@@ x', '-- ', '\\ no');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.array(word, { maxLength: 8 }), (above, below) => {
        const text = (secret: string) => [...above, `key ${secret}`, ...below].join('\n');
        expect(hideFormer(patch(text('former'), text(NOW)))).not.toContain('former');
      }),
    );
  });
});
