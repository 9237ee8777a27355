/**
 * This list has the scenarios of the leak test (test/e2e/leaks): what is done with planted secrets, and so which ways out
 * of a process are tried. The table of those ways, test/architecture/sinks.ts, cites them by name.
 */
export const LEAK_SCENARIOS = [
  'settings are published',
  'settings that give a secret away are refused',
  'files are written, and their diffs told',
  'files cannot be written',
  'commands run',
  'commands fail',
  'templates spell secrets in other ways',
  'templates and the YAML they make are wrong',
  'names and ids are secrets',
  'more is printed than is kept',
  'facts are set',
  'a run is dry',
  'a run is reverted',
  'a function is called directly',
  'settings are asked for',
  'a secret is rotated',
  'secrets are set and listed',
  'a peel is killed in mid-run',
  'a peel crashes',
  'a master crashes',
  'a peel starts without a bus',
  'states run without a fleet',
  'health pages are read',
  'the command line shows what is stored',
  'files are rendered and linted',
  'a local fleet is up',
] as const;

export type LeakScenario = (typeof LEAK_SCENARIOS)[number];
