/**
 * A problem of a YAML text is what is wrong, in two wordings: with what was found there, and without. A text that may
 * hold secrets is told the second way: each place of the message where something of the text would stand has an
 * ellipsis. `yamlProblem` is the only way to make one, so that no message can forget it.
 */
export interface YamlProblem {
  readonly told: string;
  readonly withoutText: string;
}

/** As a tag of a template: yamlProblem`the key ${key} is there twice`. */
export function yamlProblem(
  words: TemplateStringsArray,
  ...found: readonly (string | number)[]
): YamlProblem {
  return {
    told: words.map((word, at) => `${word}${found[at] ?? ''}`).join(''),
    withoutText: words.join('…'),
  };
}
