/**
 * This file has the state files of simulated machines, and beside each state its meaning, written a second time and
 * without the product: which path it is about and what becomes of what is there. A path may be under several states of
 * one or of several files.
 */
import type { PeelId } from '../../wire/names/ids.ts';
import { ABSENT, fileImage, type Image, readImage, SITE, UNFINISHED } from './site-tree.ts';

/** Where a state that is asked for by its own name works: for each job a file of its own. */
export const ADHOC = '/srv/adhoc/';

export function adHocName(path: string): string {
  return `file.managed:${path}`;
}

const PORT = 8_080;

/** What a run is given besides the files. */
export interface Given {
  readonly peel: PeelId;
  /** A word that comes with the request and goes into contents. */
  readonly release: string;
}

export interface DeclaredState {
  /** As in results. */
  readonly name: string;
  /** Below the site; undefined for one that touches nothing. */
  readonly path: string | undefined;
  /** With all that is below the path. */
  readonly isDeep?: boolean;
  /** What it makes of what is at the path. */
  readonly next: (before: Image, given: Given) => Image;
  /** It never succeeds. */
  readonly fails?: boolean;
  /** It runs only when another one changes something. */
  readonly mayBeSkipped?: boolean;
  /** It waits for a state that never succeeds. */
  readonly isBlocked?: boolean;
  /** What may be seen on the way, besides before and after. */
  readonly between?: Image;
}

const WEB = `web-root:
  file.directory:
    - name: ${SITE}/web
    - mode: '0755'
web-page:
  file.managed:
    - name: ${SITE}/web/page
    - source: zester://files/page.jinja
    - template: jinja
    - mode: '0640'
    - require:
      - file: web-root
web-current:
  file.symlink:
    - name: ${SITE}/web/current
    - target: page-{{ settings.release }}
    - require:
      - file: web-root
web-log:
  file.append:
    - name: ${SITE}/web/log
    - text: begin {{ pillar['release'] }}
    - require:
      - file: web-page
web-log-end:
  file.append:
    - name: ${SITE}/web/log
    - text: end {{ pillar['release'] }}
    - require:
      - file: web-log
`;
const PAGE = `{{ grains['id'] }} is {{ facts.os.family }}
port {{ settings.port }}
release {{ settings.release }}
`;
const TOP = `base:
  'peel-*':
    - web
`;
/** One that runs only when another one is going to change something. */
const LINKED = `linked-gate:
  test.succeed_without_changes:
    - prereq:
      - file: linked-file
linked-file:
  file.managed:
    - name: ${SITE}/linked
    - contents: linked {{ settings.release }}
linked-watch:
  test.nop:
    - onchanges:
      - file: linked-file
`;
/** The same path in two files: who comes second changes what the first one left. */
const MOTD = `motd:
  file.managed:
    - name: ${SITE}/motd
    - contents: motd {{ settings.release }}
    - mode: '0600'
`;
const BANNER = `banner:
  file.managed:
    - name: ${SITE}/motd
    - contents: banner {{ settings.release }}
    - mode: '0600'
`;
const BROKEN = `broken-free:
  file.managed:
    - name: ${SITE}/free
    - contents: free {{ settings.release }}
broken-heart:
  test.fail_without_changes: []
broken-after:
  file.managed:
    - name: ${SITE}/never
    - contents: never
    - require:
      - test: broken-heart
`;
const CLEAN = `clean-free:
  file.absent:
    - name: ${SITE}/free
clean-web:
  file.absent:
    - name: ${SITE}/web
`;

/** Files that are the same in every version of the tree (files/site-trees.ts). */
export const CONSTANT_STATES: Readonly<Record<string, string>> = {
  'web/init.zy': WEB,
  'files/page.jinja': PAGE,
  'top.zy': TOP,
  'motd.sls': MOTD,
  'linked.zy': LINKED,
  'banner.zy': BANNER,
  'broken.zy': BROKEN,
  'clean.zy': CLEAN,
};

/** Settings that are the same in every version. */
export const CONSTANT_SETTINGS = `port: ${PORT}\nrelease: none\n`;

/** There before any state ran. */
export const FILES_OF_OLD: Readonly<Record<string, string>> = {
  [`${SITE}/motd`]: 'of old\n',
  [`${ADHOC}first`]: 'of old\n',
};

/** In the order in which they run. */
export const DECLARED: Readonly<Record<string, readonly DeclaredState[]>> = {
  web: [
    { name: 'file.directory:web-root', path: 'web', between: UNFINISHED, next: () => 'directory 755' },
    { name: 'file.managed:web-page', path: 'web/page', next: (_, given) => fileImage('640', page(given)) },
    {
      name: 'file.symlink:web-current',
      path: 'web/current',
      next: (_, given) => `link page-${given.release}`,
    },
    {
      name: 'file.append:web-log',
      path: 'web/log',
      next: (before, given) => withLine(before, `begin ${given.release}`),
    },
    {
      name: 'file.append:web-log-end',
      path: 'web/log',
      next: (before, given) => withLine(before, `end ${given.release}`),
    },
  ],
  motd: [
    {
      name: 'file.managed:motd',
      path: 'motd',
      next: (_, { release }) => fileImage('600', `motd ${release}\n`),
    },
  ],
  banner: [
    {
      name: 'file.managed:banner',
      path: 'motd',
      next: (_, { release }) => fileImage('600', `banner ${release}\n`),
    },
  ],
  broken: [
    {
      name: 'file.managed:broken-free',
      path: 'free',
      next: (before, { release }) => kept(before, `free ${release}\n`),
    },
    {
      name: 'test.fail_without_changes:broken-heart',
      path: undefined,
      fails: true,
      next: (before) => before,
    },
    { name: 'file.managed:broken-after', path: 'never', isBlocked: true, next: (before) => before },
  ],
  linked: [
    {
      name: 'test.succeed_without_changes:linked-gate',
      path: undefined,
      mayBeSkipped: true,
      next: (before) => before,
    },
    {
      name: 'file.managed:linked-file',
      path: 'linked',
      next: (before, { release }) => kept(before, `linked ${release}\n`),
    },
    { name: 'test.nop:linked-watch', path: undefined, mayBeSkipped: true, next: (before) => before },
  ],
  clean: [
    { name: 'file.absent:clean-free', path: 'free', next: () => ABSENT },
    { name: 'file.absent:clean-web', path: 'web', isDeep: true, next: () => ABSENT },
  ],
};

/** What the top file gives every peel. */
export const TOP_REF = 'web';

/** A state that no file declares, through `state.single`. */
export const SINGLE_PATH = `${SITE}/motd`;
export const SINGLE: readonly DeclaredState[] = [
  {
    name: `file.managed:${SINGLE_PATH}`,
    path: 'motd',
    next: (before, { release }) => kept(before, `${release}\n`),
  },
];

const BY_NAME = new Map([...Object.values(DECLARED).flat(), ...SINGLE].map((state) => [state.name, state]));

export const ALL_DECLARED: readonly DeclaredState[] = [...BY_NAME.values()];

export function declaredState(name: string): DeclaredState | undefined {
  return BY_NAME.get(name);
}

function page({ peel, release }: Given): string {
  return `${peel} is debian\nport ${PORT}\nrelease ${release}\n`;
}

/** A state that says nothing of the mode leaves it. */
function kept(before: Image, content: string): Image {
  return fileImage(readImage(before)?.mode ?? '644', content);
}

function withLine(before: Image, line: string): Image {
  const { mode, content } = readImage(before) ?? { mode: '644', content: '' };
  return content.split('\n').includes(line) ? before : fileImage(mode, `${content}${line}\n`);
}
