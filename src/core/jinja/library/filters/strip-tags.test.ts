import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripTags, unescapeHtml } from './strip-tags.ts';

describe('stripTags', () => {
  it('leaves no tag, whatever the text is made of', () => {
    const piece = fc.constantFrom('<', '>', '<!--', '-->', '<!-', '-', 'a', ' ', '<b>');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        expect(stripTags(pieces.join(''))).not.toMatch(/<[^>]*>/);
      }),
    );
  });

  it('ends soon also for texts that are made to be slow', () => {
    expect(stripTags('<!-<!-- x -->- y '.repeat(40_000))).toHaveLength(2 * 40_000 - 1);
    expect(stripTags('<'.repeat(500_000))).toHaveLength(500_000);
  });
});

describe('unescapeHtml', () => {
  it.each([
    ['&lt;&gt;&amp;&quot;&#39;', `<>&"'`],
    ['&ampx &notin; &notinx;', '&x ∉ ¬inx;'],
    ['&CounterClockwiseContourIntegral;', '∳'],
    ['&NotEqualTilde;', '≂̸'],
    ['&#x1F600;&#128512', '😀😀'],
    ['&#150;&#0;&#xD800;&#x110000;', '–\ufffd\ufffd\ufffd'],
    ['&#1;&#xFDD0;&#13;', '\r'],
    ['&constructor; &toString &hasOwnProperty;', '&constructor; &toString &hasOwnProperty;'],
    ['&;&#;&#x;&nope; & x', '&;&#;&#x;&nope; & x'],
  ])('%j is %j', (text, expected) => {
    expect(unescapeHtml(text)).toBe(expected);
  });
});
