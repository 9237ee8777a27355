/** `lipsum()` makes paragraphs of Latin words by chance, for pages that have no text yet. */

const WORDS =
  'ac ad aequam alia amet animus arma aut bene bonus caelum canit cibus clamor cor cum dies dolor domus ego enim et ' +
  'felix fides fons fortis gaudium gens gloria hic hora homo iam ignis ille imperium in ipse iter labor laus legit ' +
  'libertas lorem lux magnus manet mare memoria mens mons multa natura nihil nomen nox omnia opus orbis pax pectus ' +
  'per pons porta quies quod regit rex ripa rosa saepe salus sed semper sic silva sol spes stella sub tacet tempus ' +
  'terra urbs ut verbum veritas via victor vita vox';

export interface LoremOptions {
  readonly paragraphs: number;
  /** Words of a paragraph: from `min` to one less than `max`. */
  readonly min: number;
  readonly max: number;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Called once for each word. */
  readonly charge: () => void;
}

export function loremParagraphs(options: LoremOptions): string[] {
  return Array.from({ length: options.paragraphs }, () => paragraph(options));
}

function paragraph({ min, max, random, charge }: LoremOptions): string {
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low));
  const vocabulary = WORDS.split(' ');
  const count = between(min, max);
  const words: string[] = [];
  let previous = vocabulary.length;
  let sentenceEnd = -1;
  let pause = -1;
  for (let i = 0; i < count; i++) {
    charge();
    // Never the same word twice in a row: the place of the last one is passed over.
    const chosen = between(0, vocabulary.length - 1);
    previous = chosen < previous ? chosen : chosen + 1;
    const word = vocabulary[previous] ?? '';
    const shown = i === sentenceEnd + 1 ? word.charAt(0).toUpperCase() + word.slice(1) : word;
    if (i === count - 1 || i - between(8, 16) > sentenceEnd) {
      words.push(`${shown}.`);
      sentenceEnd = i;
      pause = i;
    } else if (i - between(3, 8) > pause) {
      words.push(`${shown},`);
      pause = i;
    } else words.push(shown);
  }
  return words.join(' ');
}
