import { describe, expect, it } from 'vitest';
import { memoryTree } from '../../../test/harness/states/memory-tree.ts';
import { printPlace } from '../../core/states/state-problem.ts';
import { NO_WORDS } from '../../core/target/operator-words.ts';
import { FUNCTIONS } from '../../modules/registry.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { templateAbilities } from '../../runtime/template-abilities.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { LintMachine } from './lint-machine.ts';
import { ProblemCollector } from './lint-report.ts';
import { sampleMachines } from './sample-facts.ts';
import { lintSettings } from './settings-lint.ts';

const TOP = "base:\n  '*': [common]\n  'web*': [web]\n";
const CLEAN = { 'top.zy': TOP, 'common.zy': 'port: 80\n', 'web.zy': 'url: "http://x:{{ settings.port }}"\n' };

async function lint(
  files: Readonly<Record<string, string>>,
  machines: readonly LintMachine[] = sampleMachines(),
) {
  const found = new ProblemCollector('settings');
  const runtime = templateAbilities({ clock: virtualClock(), random: seededRandom(1) });
  const { signal } = new AbortController();
  const linted = await lintSettings(
    { tree: memoryTree(files), machines, functions: FUNCTIONS, runtime, signal },
    found,
  );
  const lines = found
    .sorted()
    .map(
      ({ at, severity, message, facts }) => `${printPlace(at)} ${severity}: ${message} [${facts.join(' ')}]`,
    );
  return { lines, linted };
}

describe('lintSettings', () => {
  it('has nothing to say about a clean tree, and gives each machine its settings: a made-up one gets every line', async () => {
    const real: LintMachine = {
      name: 'real',
      peelId: 'db-01' as PeelId,
      facts: {},
      words: NO_WORDS,
      isReal: true,
    };
    const machines = [...sampleMachines(), real];
    const { lines, linted } = await lint(CLEAN, machines);
    expect(lines).toEqual([]);
    expect(linted.files).toBe(3);
    expect(machines.map((machine) => linted.settingsOf(machine))).toEqual([
      { port: 80, url: 'http://x:80' },
      { port: 80, url: 'http://x:80' },
      { port: 80 },
    ]);
  });

  it('tells all that is wrong, each once, with the machines on which it shows', async () => {
    const { lines } = await lint({
      ...CLEAN,
      '_merge.zy': 'stragety: recurse\n',
      'common.zy': "port: {{ {'debian': 80}[facts.os.family] }}\n",
      'web.zy': 'include: [nothing]\nx: [\n',
    });
    expect(lines).toEqual([
      '_merge.zy:1:1 error: the merge rule has no key stragety [debian rhel]',
      expect.stringMatching(/^common\.zy:1:\d+ error: .*rhel.* \[rhel\]$/),
      'web.zy:3:1 error: a value is missing here [debian rhel]',
    ]);
  });

  it('warns of a file that nobody gets', async () => {
    const { lines } = await lint({
      ...CLEAN,
      'old.zy': 'a: 1\n',
      'lib/map.jinja': '',
      'web.zy': 'include: [part]\n',
      'part.zy': '',
    });
    expect(lines).toEqual([
      'old.zy warning: no line of the top file gives this file to anybody, and no file includes it []',
    ]);
  });

  it('warns of a file that no name can mean', async () => {
    expect((await lint({ ...CLEAN, 'web.old.zy': 'a: 1\n' })).lines).toEqual([
      'web.old.zy warning: this file cannot be applied or included: a dot in its name would mean a folder []',
    ]);
  });

  it('refuses secrets in a file that is no YAML before it is rendered, and repeats nothing of it', async () => {
    const { lines } = await lint({
      ...CLEAN,
      'web.zy': '{% if true %}\npassword: !encrypted "s3cret"\n{% endif %}\n',
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^web\.zy:1:2 error: a file with !encrypted must be YAML before it is rendered/);
    expect(lines[0]).not.toContain('s3cret');
  });

  it('warns where a template computes with a secret, and takes sealed ones as they are', async () => {
    const { lines } = await lint({
      ...CLEAN,
      'common.zy': 'port: 80\npassword: !encrypted "ENC[fleet,1,AAAA]"\n',
      'web.zy': 'url: "pg://{{ settings.password }}"\nhash: {{ settings.password | sha256 }}\n',
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^web\.zy:2:\d+ warning: password is a secret/);
  });

  it('refuses actions, also where no render comes', async () => {
    const { lines } = await lint({
      ...CLEAN,
      'web.zy': "{% if false %}{{ salt['cmd.run']('id') }}{% endif %}\n",
    });
    expect(lines).toEqual([
      'web.zy:1:18 error: the template calls cmd.run, which could change the machine: templates of settings may only look []',
    ]);
  });

  it('is not sure of what fails after the machine was asked', async () => {
    const { lines } = await lint({ ...CLEAN, 'web.zy': "x: {{ salt['test.version']().major.minor }}\n" });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^web\.zy:1:\d+ warning: .*perhaps only here/);
  });

  it('names what Salt means otherwise, in files and in the top file', async () => {
    const { lines } = await lint({
      ...CLEAN,
      'top.zy': `${TOP}prod:\n  'I@role:web': [web]\n`,
      'common.zy': 'port: 80\ntime: 12:30\n',
    });
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'common.zy',
      'top.zy warning',
      'top.zy warning',
    ]);
    expect(lines.join('\n')).toContain('I@role:web looks at facts here; in Salt at the pillar');
    expect(lines.join('\n')).toContain('prod is only a heading here');
  });

  it('warns of secrets that masters refuse to publish, because peels say by themselves that they are for them', async () => {
    const secret = 'web.zy';
    const { lines } = await lint({
      ...CLEAN,
      'top.zy': "base:\n  '*': [common]\n  'G@role:web': [web]\n",
      [secret]: 'password: !encrypted "hunter2-is-secret"\n',
    });
    expect(lines).toEqual([expect.stringMatching(/^top\.zy:3:\d+ warning: .*fact/)]);
  });

  it('sees the settings of an own machine in its own lines only', async () => {
    const machine: LintMachine = {
      name: 'db',
      peelId: 'db-01' as PeelId,
      facts: {},
      words: NO_WORDS,
      isReal: true,
    };
    const { lines } = await lint({ ...CLEAN, 'web.zy': 'x: {{ 1 / 0 }}\n' }, [machine]);
    expect(lines).toEqual(['web.zy:1:9 error: division by zero [db]']);
  });
});
