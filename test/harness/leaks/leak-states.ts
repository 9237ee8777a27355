/**
 * These state files bring planted secrets to every place of a run: contents, diffs, command lines, environment, input and
 * output of programs, names, errors. Each file has a control beside its secrets, which must be seen where they must not.
 *
 * The settings are those of leak-settings.ts. Files are written below `settings.out`, and nowhere else.
 */
import type { PlantedTexts } from './leak-settings.ts';

/** The files that the states are told to write: the only places on a peel that may have a secret. */
export const WRITTEN_FILES = [
  'managed.conf',
  'key.pem',
  'rendered.conf',
  'data.json',
  'edited.conf',
  'lines.conf',
  'turning.conf',
  'half.conf',
  'seen-by-a-command',
] as const;

const HEAD = `{% set s = settings.secrets %}
{% set out = settings.out %}
{% set control = settings.control %}
`;

export function leakStates(): PlantedTexts {
  return {
    'top.zy': "base:\n  '*':\n    - plain\n",
    'plain.zy': `said:\n  test.show_notification:\n    - text: {{ settings.control }}\n`,
    'files.zy': FILES,
    'turning.zy': TURNING,
    'app.conf.j2': APP_TEMPLATE,
    'commands.zy': COMMANDS,
    'script.sh.j2': SCRIPT_TEMPLATE,
    'names.zy': NAMES,
    'loud.zy': LOUD,
    'facts.zy': FACTS,
    'slow.zy': SLOW,
    ...failingFiles(),
    ...failingCommands(),
    ...wrongTemplates(),
  };
}

/** The state files that fail in a run, by their name; what they try is wrong on the machine. */
export function failingFiles(): PlantedTexts {
  const managed = (...args: readonly string[]) =>
    `${HEAD}bad:\n  file.managed:\n${args.map((arg) => `    - ${arg}\n`).join('')}`;
  return {
    'fail-path.zy': managed(
      'name: {{ out }}/managed.conf/{{ s.long }}/x',
      'contents: {{ control }} {{ s.long }}',
    ),
    'fail-mode.zy': managed('name: {{ out }}/half.conf', 'mode: {{ s.long }}', 'contents: {{ control }}'),
    'fail-owner.zy': managed('name: {{ out }}/half.conf', 'user: {{ s.long }}', 'contents: {{ control }}'),
    'fail-source.zy': managed('name: {{ out }}/half.conf', 'source: zester://{{ s.long }}/{{ control }}'),
    'fail-hash.zy': managed(
      'name: {{ out }}/half.conf',
      'source: zester://app.conf.j2',
      'source_hash: {{ s.long }}',
    ),
    'fail-cut.zy': managed('name: {{ out }}/half.conf', 'mode: {{ s.token }}', 'contents: {{ control }}'),
    'fail-key.zy': managed(
      'name: {{ out }}/half.conf',
      'mode: {{ s.pem | tojson }}',
      'contents: {{ control }}',
    ),
    'fail-unknown.zy': managed('name: {{ out }}/half.conf', '{{ s.long }}: {{ control }}'),
    'fail-link.zy': `${HEAD}bad:\n  file.symlink:\n    - name: {{ out }}/managed.conf\n    - target: /{{ s.long }}\n`,
    'fail-replace.zy': `${HEAD}bad:\n  file.replace:\n    - name: {{ out }}/managed.conf\n    - pattern: '({{ s.long }}'\n    - repl: {{ control }}\n`,
    'fail-line.zy': `${HEAD}bad:\n  file.line:\n    - name: {{ out }}/lines.conf\n    - mode: {{ s.long }}\n    - content: {{ control }}\n`,
  };
}

export function failingCommands(): PlantedTexts {
  const run = (name: string, ...args: readonly string[]) =>
    `${HEAD}bad:\n  cmd.run:\n    - name: ${name}\n${args.map((arg) => `    - ${arg}\n`).join('')}`;
  return {
    'fail-argv.zy': run("'echo {{ control }} {{ s.long }}; echo {{ s.long }} >&2; exit 3'"),
    'fail-cwd.zy': run("'true'", 'cwd: /{{ s.long }}'),
    'fail-runas.zy': run("'true'", 'runas: {{ s.long }}'),
    'fail-timeout.zy': run("'echo {{ s.long }} {{ control }}; sleep 30'", 'timeout: 1'),
    'fail-retry.zy': run(
      "'echo {{ s.long }} {{ control }}; exit 4'",
      'retry: {attempts: 2, interval: 0, until: true}',
    ),
    'fail-script.zy': `${HEAD}bad:\n  cmd.script:\n    - source: zester://script.sh.j2\n    - template: jinja\n    - args: [fail, '{{ s.long }}']\n`,
    'fail-module.zy': `${HEAD}bad:\n  module.run:\n    - test.nothing_{{ s.digits }}:\n      - text: {{ control }}\n`,
    'fail-token.zy': run("'echo {{ control }} {{ s.token }}; exit 3'"),
    'fail-guard.zy': run("'true'", "onlyif: 'echo {{ s.long }} {{ control }}; exit 5'"),
  };
}

/** The state files that do not compile. */
export function wrongTemplates(): PlantedTexts {
  return {
    'wrong-name.zy': `${HEAD}a:\n  test.nop:\n    - name: {{ s.long.nothing.there }}\n`,
    'wrong-raise.zy': `${HEAD}a:\n  test.nop:\n    - name: {{ raise(s.long ~ control) }}\n`,
    'wrong-cut.zy': `${HEAD}a:\n  test.nop:\n    - name: {{ raise(control ~ s.token ~ s.pem) }}\n`,
    'wrong-id.zy': `${HEAD}{{ s.token }}:\n  test.no_such: []\n{{ s.pem | tojson }}: {{ control }}\n`,
    'wrong-sum.zy': `${HEAD}a:\n  test.nop:\n    - name: {{ 1 + s.long }}\n`,
    'wrong-call.zy': `${HEAD}a:\n  test.nop:\n    - name: {{ salt['test.' ~ s.digits]() }}\n`,
    'wrong-filter.zy': `${HEAD}a:\n  test.nop:\n    - name: {{ s.long | regex_search('(' ~ s.long) }}\n`,
    'wrong-include.zy': `${HEAD}include:\n  - nothing.{{ s.long }}\n`,
    'wrong-yaml.zy': `${HEAD}a:\n  test.nop:\n    - name: {{ s.quotes }}\n   odd: [{{ control }} {{ s.long }}\n`,
    'wrong-lines.zy': `${HEAD}a:\n  test.nop:\n    - name: {{ s.pem }}\n    - control: {{ control }}\n`,
    'wrong-twice.zy': `${HEAD}{{ s.long }}:\n  test.nop: []\n{{ s.long }}:\n  test.nop: []\n`,
    'wrong-function.zy': `${HEAD}a:\n  file.{{ s.long }}:\n    - name: {{ control }}\n`,
    'wrong-require.zy': `${HEAD}a:\n  test.nop:\n    - require:\n        - file: {{ s.long }} {{ control }}\n`,
    'wrong-source.zy': `${HEAD}a:\n  file.managed:\n    - name: {{ out }}/half.conf\n    - source: zester://wrong.j2\n    - template: jinja\n`,
    'wrong.j2':
      '{{ settings.control }} {{ settings.secrets.long }}\n{{ settings.secrets.long.nothing.there }}\n',
  };
}

const FILES = `${HEAD}
out:
  file.directory:
    - name: {{ out }}
    - makedirs: true
managed:
  file.managed:
    - name: {{ out }}/managed.conf
    - mode: '0600'
    - makedirs: true
    - contents: |
        control {{ control }}
        short {{ s.short }}
        long {{ s.long }}
        digits {{ s.digits }}
        quotes {{ s.quotes }}
        unicode {{ s.unicode }}
        listed {{ settings.users[0].password }}
key:
  file.managed:
    - name: {{ out }}/key.pem
    - mode: '0600'
    - contents_pillar: secrets:pem
rendered:
  file.managed:
    - name: {{ out }}/rendered.conf
    - source: zester://app.conf.j2
    - template: jinja
data:
  file.serialize:
    - name: {{ out }}/data.json
    - formatter: json
    - dataset_pillar: secrets
begun:
  file.managed:
    - name: {{ out }}/edited.conf
    - replace: false
    - contents: |
        {{ control }}
        password=changeme
edited:
  file.replace:
    - name: {{ out }}/edited.conf
    - pattern: '^password=.*$'
    - repl: password={{ s.long }}
    - require: [file: begun]
lines:
  file.append:
    - name: {{ out }}/lines.conf
    - text:
        - {{ control }}
        - {{ s.long | yaml_encode }}
        - {{ s.unicode | yaml_encode }}
`;

/** The value changes between two runs: the diff has both sides. */
const TURNING = `{% set s = settings.secrets %}
turning:
  file.managed:
    - name: {{ settings.out }}/turning.conf
    - makedirs: true
    - contents: |
        control {{ settings.control }}
        password {{ s.turning }}
`;

const APP_TEMPLATE = `control {{ settings.control }}
{% for name, value in settings.secrets.items() -%}
{{ name }}.plain {{ value }}
{{ name }}.base64 {{ value | base64_encode }}
{{ name }}.within {{ ('user:' ~ value ~ '@host') | base64_encode }}
{{ name }}.json {{ value | tojson }}
{{ name }}.json2 {{ value | json }}
{{ name }}.url {{ value | urlencode }}
{{ name }}.html {{ value | e }}
{{ name }}.yaml {{ value | yaml_dquote }}
{% endfor %}
`;

const SCRIPT_TEMPLATE = `#!/bin/sh
echo {{ settings.control }} {{ settings.secrets.long }} "$@"
echo {{ settings.secrets.long }} >&2
[ "$1" = fail ] && exit 7
[ "$1" = wait ] && echo waiting > {{ settings.out }}/waiting && sleep 300
exit 0
`;

const COMMANDS = `${HEAD}
argv:
  cmd.run:
    - name: echo {{ control }} {{ s.long }} {{ s.digits }}
environment:
  cmd.run:
    - name: echo "$CONTROL $PASSWORD"; printf %s "$PASSWORD" | base64; printf %s "$PASSWORD" | od -An -tx1 -v | tr -d ' \\n'
    - env:
        - PASSWORD: {{ s.long }}
        - CONTROL: {{ control }}
input:
  cmd.run:
    - name: cat; echo {{ control }}
    - stdin: {{ s.quotes | tojson }}
errors:
  cmd.run:
    - name: echo {{ control }} {{ s.long }} >&2
key:
  cmd.run:
    - name: cat {{ out }}/key.pem; base64 {{ out }}/key.pem; base64 -w0 {{ out }}/key.pem
seen:
  cmd.run:
    - name: printf %s "$LISTED" > {{ out }}/seen-by-a-command; cat {{ out }}/seen-by-a-command
    - env:
        - LISTED: {{ settings.users[0].password }}
script:
  cmd.script:
    - source: zester://script.sh.j2
    - template: jinja
    - args: [one, '{{ s.long }}']
guarded:
  cmd.run:
    - name: echo {{ control }}
    - onlyif: echo {{ s.long }}
    - unless: echo {{ s.long }}; exit 1
    - creates: /nowhere/{{ s.long }}
`;

const NAMES = `${HEAD}
'id {{ s.long }}':
  test.succeed_with_changes: []
named:
  test.succeed_without_changes:
    - name: {{ control }} {{ s.long }}
needs:
  test.nop:
    - require:
        - test: 'id {{ s.long }}'
fails:
  test.fail_without_changes:
    - name: {{ control }} {{ s.long }}
skipped:
  test.nop:
    - name: {{ s.long }} is skipped
    - require:
        - test: fails
said:
  test.show_notification:
    - text: '{{ control }} {{ s.long }}'
`;

/** More than is kept of an output, and more than fits a message: what cuts it may cut a secret in two. */
const LOUD = `${HEAD}
loud:
  cmd.run:
    - name: echo {{ control }}; i=0; while [ $i -lt 60000 ]; do echo "{{ s.long }}$i"; i=$((i+1)); done
loud errors:
  cmd.run:
    - name: i=0; while [ $i -lt 60000 ]; do echo "$i{{ s.long }}" >&2; i=$((i+1)); done; exit 1
`;

const FACTS = `${HEAD}
told:
  module.run:
    - facts.set:
        - key: leaked
        - value: '{{ control }} {{ s.long }}'
`;

/** Something is written, and then it waits, to be killed. */
const SLOW = `${HEAD}
half:
  file.managed:
    - name: {{ out }}/half.conf
    - contents: {{ control }} {{ s.long }}
wait:
  cmd.script:
    - source: zester://script.sh.j2
    - template: jinja
    - args: [wait, '{{ s.long }}']
    - require: [file: half]
`;
