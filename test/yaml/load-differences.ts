/**
 * This list says where we read a YAML text differently than PyYAML, on purpose. docs/reference/jinja.md tells the same
 * to people.
 */
export interface LoadDifference {
  readonly name: string;
  readonly reason: string;
  readonly texts: readonly string[];
}

export const LOAD_DIFFERENCES: readonly LoadDifference[] = [
  {
    name: 'a value that holds itself',
    reason: 'It could not be sent, printed or compared; PyYAML builds it all the same.',
    texts: ['a: &x [*x]\n', 'a: &x {b: *x}\n'],
  },
  {
    name: '? : and - without quotes inside of brackets',
    reason:
      'YAML 1.2 allows a URL with a question mark there, PyYAML does not; a lone - is refused as unclear.',
    texts: [
      '[-]\n',
      '[?a]\n',
      '{?a: 1}\n',
      '[a?b]\n',
      '[:a]\n',
      '{:a: 1}\n',
      '[::]\n',
      '[:a, x]\n',
      '{k: :a}\n',
      '[::a, x]\n',
      '{k: ::a}\n',
      '[::, x]\n',
      '[http://x.org/y?z=1, x]\n',
      '{k: http://x.org/y?z=1}\n',
      '[-, x]\n',
      '{k: -}\n',
      '[?x, x]\n',
      '{k: ?x}\n',
    ],
  },
  {
    name: 'quotes or words in brackets that go on further left',
    reason: 'The line looks like a key of its own; the error says which line to move right.',
    texts: [
      'a: "b\n\tc"\n',
      'a:\n  b: [1, # c\n2]\n',
      'a:\n  b: [one\ntwo]\n',
      "a:\n  b: {c: 'x\n  y',\n d: 1}\n",
      "# ead\ntwo words 1:\n  - '\n'",
    ],
  },
  {
    name: 'a comment without a blank before it',
    reason: 'After an opening bracket we want a blank before #, after | we do not.',
    texts: ['[#c\na]\n', '%YAML 1.1\n---\n- |#\n    deeper\n- yes! # note\n'],
  },
  {
    name: 'line breaks of other systems',
    reason:
      'YAML 1.1 ends a line at U+0085, U+2028 and U+2029; we take them as letters, as every editor does.',
    texts: ['a: \u2028b\n', 'a: x\u0085y\n'],
  },
  {
    name: 'tags and anchors glued to punctuation',
    reason: 'PyYAML takes the comma, brace or colon into the name of the tag, or the key out of it.',
    texts: ['[!!str, x]\n', '{k: !!str}\n', '&a-b: v\n'],
  },
  {
    name: 'document ends and blocks at the margin',
    reason: 'An end mark without a document, or a block of text that is not indented, are harmless.',
    texts: ['...\n', '...', '>\n- &n1 FALSE\n'],
  },
  {
    name: 'keys of more than 1,024 letters',
    reason: 'PyYAML stops looking for the colon after 1,024 letters; we go on.',
    texts: [`${'x'.repeat(1100)}: 1\n`],
  },
];
