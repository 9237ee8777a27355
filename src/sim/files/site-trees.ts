/**
 * These are the texts of the two source trees, made from the model of the site. Every file but the constant ones begins
 * with its stamp, the version it is of; where states or settings carry it on, the stamp is in what a run leaves.
 */
import { CONSTANT_SETTINGS, CONSTANT_STATES } from '../states/sim-states.ts';
import { canaryText } from './canaries.ts';
import type { SettingsModel, StatesModel } from './site-model.ts';

/** Text by path below the root of the tree. */
export type ModelTree = ReadonlyMap<string, string>;

/** Where runs of the stamped states leave what they saw: a directory for each run. */
export const STAMPS = '/srv/stamps';
/** Where secrets are deployed to. */
export const VAULT = '/srv/vault';
export const STAMP_REF = 'stamp';
/** Names of the settings that a job gives to its run. */
export const RUN_SETTING = 'run';
export const WAIT_SETTING = 'wait_ms';

const LARGE_FILE = 'stamp/large.bin';
/** More than fits a value, and not a round number of chunks. */
const LARGE_LINE = `${'large '.repeat(150)}\n`;
const LARGE_LINES = 600;

const EXTRA_DIRECTORY = 'stamp/extra';

const stamp = (version: number) => `# stamp ${version}\n`;

const HERE = `${STAMPS}/{{ settings.${RUN_SETTING} }}`;

/** What is read when the run compiles, a wait, and then what is read while it runs. */
function mainStates({ main, large }: StatesModel): string {
  return `${stamp(main)}include:
  - stamp.more
stamp-main:
  file.managed:
    - name: ${HERE}/main
    - contents: main ${main}
    - makedirs: true
stamp-wait:
  sim.wait:
    - ms: {{ settings.${WAIT_SETTING} }}
    - require:
      - file: stamp-main
stamp-page:
  file.managed:
    - name: ${HERE}/page
    - source: zester://stamp/page.jinja
    - template: jinja
    - require:
      - sim: stamp-wait
stamp-extra:
  file.recurse:
    - name: ${HERE}/extra
    - source: zester://${EXTRA_DIRECTORY}
    - require:
      - sim: stamp-wait
stamp-login:
  file.managed:
    - name: ${VAULT}/login
    - source: zester://stamp/login.jinja
    - template: jinja
    - mode: '0600'
    - makedirs: true
    - require:
      - sim: stamp-wait
stamp-token:
  file.managed:
    - name: ${VAULT}/token
    - contents: {{ settings.tokens.values() | join | json }}
    - mode: '0600'
    - makedirs: true
    - require:
      - sim: stamp-wait
{% if settings.vault is defined %}stamp-vault:
  file.managed:
    - name: ${VAULT}/vault
    - contents: {{ settings.vault | json }}
    - mode: '0600'
    - makedirs: true
    - require:
      - sim: stamp-wait
{% endif %}${large === undefined ? '' : LARGE_STATES}`;
}

const LARGE_STATES = `stamp-large:
  file.managed:
    - name: ${HERE}/large
    - source: zester://${LARGE_FILE}
    - require:
      - sim: stamp-wait
`;

function moreStates(more: number): string {
  return `${stamp(more)}stamp-more:
  file.managed:
    - name: ${HERE}/more
    - contents: more ${more} base {{ settings.base_stamp }} seen {{ settings.seen }}
    - makedirs: true
`;
}

const PAGE_LINE = "page {version} base {{ settings.base_stamp }} role {{ settings['role_stamp'] }}";

export function largeText(version: number): string {
  return `${stamp(version)}${LARGE_LINE.repeat(LARGE_LINES)}`;
}

/** A directory that is copied as a whole must be there: this file is always in it. */
export const KEPT_EXTRA = { name: 'always', text: 'always\n' };

export function extraText(name: string, version: number): string {
  return `# stamp ${version}\nextra ${name}\n`;
}

export function statesTree(model: StatesModel): ModelTree {
  const { more, page, large, isHalf, leaks } = model;
  const tree = new Map([
    ...Object.entries(CONSTANT_STATES),
    ['stamp/init.zy', mainStates(model)],
    ['stamp/more.zy', isHalf ? `${stamp(more)}stamp-more: "never closed\n` : moreStates(more)],
    ['stamp/page.jinja', `${stamp(page)}${PAGE_LINE.replace('{version}', String(page))}\n`],
    ['stamp/login.jinja', 'login {{ settings.login }}\n'],
    [`${EXTRA_DIRECTORY}/${KEPT_EXTRA.name}`, KEPT_EXTRA.text],
  ]);
  for (const [name, version] of model.extras)
    tree.set(`${EXTRA_DIRECTORY}/${name}`, extraText(name, version));
  if (large !== undefined) tree.set(LARGE_FILE, largeText(large));
  const oops = canaryText({ secret: 'oops', version: model.main }, 1);
  if (leaks) tree.set('stamp/oops.zy', `password: !encrypted ${quoted(oops)}\n`);
  return tree;
}

const SETTINGS_TOP = `base:
  '*':
    - base
  'E@^peel-[0-9]*[13579]$':
    - roles.odd
  'E@^peel-[0-9]*[02468]$':
    - roles.even
`;

/** `source`: as it is on the disks of masters. `published`: as every peel may see it. */
export function settingsTree(model: SettingsModel, as: 'source' | 'published'): ModelTree {
  const { base, odd, even, login, vault, token, broken } = model;
  // As many lines as it took, so that every place in the file stays the same.
  const secret = (path: string, text: string) =>
    as === 'source'
      ? `!encrypted ${text}`
      : `"__ZESTER_SECRET:${path}__"${'\n'.repeat(text.split('\n').length - 1)}`;
  const line = (name: string, version: number) => quoted(canaryText({ secret: name, version }, 1));
  const key = `t${token}`;
  const vaultText = `|\n  ${canaryText({ secret: 'vault', version: vault }, 2).replaceAll('\n', '\n  ')}\n`;
  const role = (version: number, isBroken: boolean) =>
    `${stamp(version)}role_stamp: ${isBroken ? '[' : ''}${version}\nseen: "{{ settings.base_stamp }}"\n`;
  return new Map([
    ['top.zy', SETTINGS_TOP],
    [
      'base.zy',
      `${stamp(base)}${CONSTANT_SETTINGS}base_stamp: ${base}
login: ${secret('login', line('login', login))}
tokens:
  ${key}: ${secret(`tokens.${key}`, line('token', token))}
`,
    ],
    // A block scalar ends with its line.
    ['roles/odd.zy', `${role(odd, broken === 'sealed')}vault: ${secret('vault', vaultText)}`],
    ['roles/even.zy', role(even, broken === 'open')],
  ]);
}

/** In YAML. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
