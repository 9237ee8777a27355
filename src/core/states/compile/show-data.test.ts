import { describe, expect, it } from 'vitest';
import { compiled, states, TEST_SCHEMAS } from '../../../../test/harness/states/compiled-files.ts';
import { lowData } from './show-data.ts';

const TEXT = [
  'nginx:',
  '  pkg.installed: []',
  '  service.running:',
  '    - enable: true',
  '    - watch: [pkg: nginx, /etc/nginx.conf]',
  'conf:',
  '  file.managed:',
  '    - name: /etc/nginx.conf',
  '    - mode: 0644',
  '    - secret: hunter2',
  '    - onlyif: test -d /etc',
  '    - retry: {attempts: 2, interval: 5}',
  '    - order: last',
  '    - failhard: true',
  '',
].join('\n');

describe('highData', () => {
  it('shows the declarations by id, without secrets', async () => {
    const { high } = await compiled(TEXT);
    expect(high()).toEqual({
      nginx: {
        __sls__: 'web',
        'pkg.installed': [],
        'service.running': [{ enable: true }, { watch: [{ pkg: 'nginx' }, '/etc/nginx.conf'] }],
      },
      conf: {
        __sls__: 'web',
        'file.managed': [
          { name: '/etc/nginx.conf' },
          { mode: 644 },
          { secret: '[hidden]' },
          { onlyif: 'test -d /etc' },
          { retry: { attempts: 2, interval: 5 } },
          { order: 'last' },
          { failhard: true },
        ],
      },
    });
  });
});

describe('lowData', () => {
  it('shows each state with its requisites resolved, without secrets', async () => {
    expect(lowData(await states(TEXT), TEST_SCHEMAS)).toEqual([
      { state: 'pkg', fun: 'installed', __id__: 'nginx', __sls__: 'web', name: 'nginx', order: 0 },
      {
        state: 'service',
        fun: 'running',
        __id__: 'nginx',
        __sls__: 'web',
        name: 'nginx',
        enable: true,
        watch: ['pkg.installed:nginx', 'file.managed:conf'],
        order: 0,
      },
      {
        state: 'file',
        fun: 'managed',
        __id__: 'conf',
        __sls__: 'web',
        name: '/etc/nginx.conf',
        mode: '0644',
        secret: '[hidden]',
        onlyif: ['test -d /etc'],
        retry: { attempts: 2, interval: 5 },
        order: 1_000_000,
        failhard: true,
      },
    ]);
  });
});
