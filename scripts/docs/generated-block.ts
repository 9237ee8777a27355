/**
 * A generated block is a part of a page that is made from the code, between two marks; the rest of the page is written
 * by hand.
 */
import { assert } from '../../src/core/assert.ts';

const BEGIN = '<!-- Made by `npm run docs`, down to the next mark; do not edit. -->';
const END = '<!-- Written by hand again. -->';

/** The page with `block` between its marks, of which it has one pair. */
export function withBlock(page: string, block: string): string {
  const parts = page.split(BEGIN);
  const [before = '', rest = ''] = parts;
  const end = rest.indexOf(END);
  assert(parts.length === 2 && end !== -1, `a generated block stands between ${BEGIN} and ${END}`);
  return `${before}${BEGIN}\n\n${block}\n\n${rest.slice(end)}`;
}
