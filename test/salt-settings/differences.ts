/**
 * This list says where settings do not come out as Salt's pillar does, on purpose: the recorded tree, and why.
 * docs/guides/coming-from-salt.md tells it to people.
 */
export const PILLAR_DIFFERENCES: Readonly<Record<string, string>> = {
  '08-include-relative-dots': 'Each further dot is one folder up, as in state files; Salt finds nothing.',
  '09-include-relative-twin':
    'A relative name means the file in the folder, and no other; Salt also takes the file of that name at the top.',
  '13-include-defaults-next':
    'Defaults are for the include that gives them; in Salt also for those after it.',
  '25-include-nothing': 'An include that a template left empty includes nothing; Salt refuses it.',
  '31-settings-so-far': 'A template sees the settings of the files before it; in Salt it sees none.',
  '32-first-name-wins':
    'Two files for one name are a mistake that a person has to settle; Salt takes the first.',
  '36-include-options-unknown': 'An option that an include does not have is a mistake; Salt passes over it.',
  '41-fact-in-a-map':
    'A fact inside of a map is written with dots, `datacenter.name:fra1`, as in every target.',
};
