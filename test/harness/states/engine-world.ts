/**
 * `EngineWorld` is the state engine of a peel on a machine in memory: requests run as a peel runs them, on state files
 * that a test writes. The one that `webWorld` makes has a small web server to set up: `web` includes `common`, and the
 * top file gives it both.
 */

import { SecretBook } from '../../../src/core/redact/secret-book.ts';
import { factsWithWords, NO_WORDS, type OperatorWords } from '../../../src/core/target/operator-words.ts';
import { lookUpFact, withFact } from '../../../src/modules/facts/fact-path.ts';
import { FUNCTIONS } from '../../../src/modules/registry.ts';
import { STATE_MODULES } from '../../../src/modules/state-registry.ts';
import { runRequest } from '../../../src/peel/run/run-request.ts';
import type { SettingsHost } from '../../../src/peel/settings/resolve-tree.ts';
import { directorySettings } from '../../../src/peel/settings/settings-source.ts';
import { openUndoJournal } from '../../../src/peel/undo/open-undo-journal.ts';
import type { Log } from '../../../src/runtime/log.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { virtualClock } from '../../../src/runtime/virtual-clock.ts';
import { memorySystem } from '../../../src/system/memory/memory-machine.ts';
import type { FakeProcess, ProgramTable } from '../../../src/system/memory/memory-process-calls.ts';
import type { System } from '../../../src/system/system.ts';
import { undoKeyFrom } from '../../../src/trust/undo-key.ts';
import type { WireMap } from '../../../src/wire/msgpack/wire-value.ts';
import type { Jid, PeelId } from '../../../src/wire/names/ids.ts';
import type { ExecResponse } from '../../../src/wire/records/exec.ts';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
export const JID = '2wHyPZTlDs1GYQ6jPnDs7v3TqWk';
export class EngineWorld {
  readonly secrets = new SecretBook();
  readonly clock = virtualClock();
  readonly random = seededRandom(1);
  readonly system: System;
  readonly ran: string[] = [];
  signal = new AbortController();
  onCommand: (program: Pick<FakeProcess, 'cwd' | 'env'>) => void = () => undefined;
  factsKnown = Promise.resolve();
  words: OperatorWords = NO_WORDS;
  facts: WireMap = { os: { family: 'debian', platform: 'debian' }, role: 'web' };
  private readonly journal;
  private jobs = 0;

  constructor() {
    const programs: ProgramTable = () => (program) => {
      const command = program.argv.at(-1) ?? '';
      this.ran.push(command);
      this.onCommand(program);
      program.print(`${command} printed\n`);
      return command.includes('false') ? 1 : 0;
    };
    const { clock, random } = this;
    this.system = memorySystem({ clock, random, programs });
    const { files } = this.system;
    const key = async () => undoKeyFrom(random.bytes(32), random);
    this.journal = openUndoJournal({ files, dataDir: '/var/lib/zester', key, clock, random });
  }

  async states(files: Readonly<Record<string, string>>): Promise<void> {
    await this.write(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`/states/${path}`, text])),
    );
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await this.system.files.makeDirectory(path.slice(0, path.lastIndexOf('/')), { parents: true });
      await this.system.files.writeAtomic(path, Buffer.from(text), { mode: 0o644 });
    }
  }

  async read(path: string): Promise<string | undefined> {
    const bytes = await this.system.files.read(path);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
  }

  run(module: string, id = '', args: WireMap = {}): Promise<ExecResponse> {
    const jid = `${JID.slice(0, -4)}${String(++this.jobs).padStart(4, '0')}` as Jid;
    const host: SettingsHost = {
      system: this.system,
      facts: {
        all: () => factsWithWords(this.facts, this.words),
        words: () => this.words,
        get: (path) => lookUpFact(this.facts, path),
        setCustom: async (path, value) => {
          this.facts = withFact(this.facts, path, value);
        },
      },
      runtime: { clock: this.clock, random: this.random, log: silent },
      peelId: 'web-01' as PeelId,
      version: '1',
      functions: FUNCTIONS,
    };
    return runRequest({ jid, module, id, args }, this.signal.signal, {
      ...host,
      states: {
        modules: STATE_MODULES,
        sources: { bakedDir: '/states', mirror: undefined },
        settings: directorySettings(host, '/settings', this.secrets),
        journal: this.journal,
        factsKnown: () => this.factsKnown,
      },
    });
  }
}

const WEB = `
include:
  - common
/srv/web.conf:
  file.managed:
    - contents: port={{ pillar.web.port }} on {{ grains.id }}
    - mode: 644
    - require:
      - file: /srv/common.conf
reload:
  cmd.run:
    - name: reload web
    - onchanges:
      - file: /srv/web.conf
`;

const COMMON = `
/srv/common.conf:
  file.managed:
    - source: salt://common/conf.j2
    - template: jinja
    - context: {who: you}
`;

export async function webWorld(): Promise<EngineWorld> {
  const world = new EngineWorld();
  await world.states({
    'web/init.zy': WEB,
    'common/init.sls': COMMON,
    'common/conf.j2': 'hello {{ who }} at {{ facts.role }}',
    'top.zy': "base:\n  '*':\n    - common\n  'G@role:web and not db*':\n    - web\n",
  });
  await world.write({ '/settings/a.yaml': 'web: {port: 80}' });
  await world.system.files.makeDirectory('/srv', { parents: true });
  return world;
}

/** What became of each state: name, changed, why it was skipped, error. */
export const summary = ({ results }: ExecResponse) =>
  results.map(({ name, changed, skipReason, error }) => [name, changed, skipReason, error]);

/** The summary of an apply of `web` on a machine that has nothing of it. */
export const ALL_CHANGED = [
  ['file.managed:/srv/common.conf', true, '', ''],
  ['file.managed:/srv/web.conf', true, '', ''],
  ['cmd.run:reload', true, '', ''],
];
