import { describe, expect, it } from 'vitest';
import { problems, states } from '../../../../test/harness/states/compiled-files.ts';
import { REQUISITE_KINDS } from '../compiled-state.ts';

/** As people write formulas for Salt. */
const FORMULA = {
  'web/init.sls': [
    "{% set conf = '/etc/nginx/nginx.conf' %}",
    'include:',
    '  - .sites',
    '  - common',
    '',
    'nginx:',
    '  pkg:',
    '    - installed',
    '    - version: 1.10',
    '  service.running:',
    '    - enable: True',
    '    - watch:',
    '      - pkg: nginx',
    '      - file: {{ conf }}',
    '    - require:',
    '      - sls: common',
    '',
    'nginx-conf:',
    '  file.managed:',
    '    - name: {{ conf }}',
    '    - source: salt://web/nginx.conf',
    '    - mode: 0644',
    '    - onlyif: test -d /etc/nginx',
    '    - require:',
    '      - pkg: nginx',
  ].join('\n'),
  'web/sites.sls': [
    "{% for site in ['a', 'b'] %}",
    '/srv/{{ site }}:',
    '  file.managed:',
    '    - makedirs: true',
    '    - listen_in:',
    '      - service: nginx',
    '{% endfor %}',
    'extend:',
    '  nginx-conf:',
    '    file:',
    '      - context: {os: {{ facts.os }}}',
  ].join('\n'),
  'common.zy':
    "{% if facts.os == 'debian' %}\ntools:\n  pkg.installed:\n    - pkgs: [curl, jq]\n{% endif %}\n",
};

describe('compileStates', () => {
  it('compiles a formula', async () => {
    const made = await states(FORMULA);
    const requisites = (state: (typeof made)[number]) =>
      REQUISITE_KINDS.flatMap((kind) => state.requisites[kind].map((name) => `${kind} ${name}`));
    expect(made.map((state) => [state.name, state.sls, ...requisites(state)])).toEqual([
      ['file.managed:/srv/a', 'web.sites'],
      ['file.managed:/srv/b', 'web.sites'],
      ['pkg.installed:tools', 'common'],
      ['pkg.installed:nginx', 'web'],
      [
        'service.running:nginx',
        'web',
        'require pkg.installed:tools',
        'watch pkg.installed:nginx',
        'watch file.managed:nginx-conf',
        'watch file.managed:/srv/a',
        'watch file.managed:/srv/b',
      ],
      ['file.managed:nginx-conf', 'web', 'require pkg.installed:nginx'],
    ]);
    expect(made[3]?.values.version).toBe('1.10');
    expect(made[5]?.values).toMatchObject({
      name: '/etc/nginx/nginx.conf',
      mode: 0o644,
      context: { os: 'debian' },
    });
    expect(made[5]?.attributes.onlyif).toEqual(['test -d /etc/nginx']);
    expect(made[1]?.at).toEqual({ file: 'web/sites.sls', line: 3, column: 3 });
  });

  it('tells every mistake of every file at its line in the template', async () => {
    const files = {
      ...FORMULA,
      'web/sites.sls': FORMULA['web/sites.sls']
        .replace('makedirs', 'makedir')
        .replace('nginx-conf', 'nginx-cnf'),
      'web/init.sls': FORMULA['web/init.sls'].replace('- pkg: nginx', '- pkg: ngnix'),
    };
    const from = '< web/init.sls:3:5';
    expect(await problems(files)).toEqual([
      `web/sites.sls:4:7 file.managed of /srv/a: it has no parameter makedir | did you mean makedirs? ${from}`,
      `web/sites.sls:4:7 file.managed of /srv/b: it has no parameter makedir | did you mean makedirs? ${from}`,
      `web/sites.sls:9:3 extend: there is no state with the id nginx-cnf | did you mean nginx-conf? ${from}`,
      'web/init.sls:13:9 service.running:nginx: watch: there is no pkg state ngnix | did you mean nginx?',
    ]);
  });

  it('has nothing to say about no files', async () => {
    expect(await states({}, [])).toEqual([]);
  });
});
