import { describe, expect, it } from 'vitest';
import { settingsPaths } from './settings-paths.ts';

describe('settingsPaths', () => {
  const paths = settingsPaths([
    'top.zy',
    '_merge.zy',
    'common.zy',
    'web/init.zy',
    'web/tls.sls',
    'web/deep/a.zy',
    'map.jinja',
    'notes.md',
    'twin.zy',
    'twin/init.zy',
    'with.dot.zy',
  ]);

  it('has the files that a name can mean: not the top file, not the merge rule, no templates', () => {
    expect(paths.files).toEqual([
      'common.zy',
      'twin.zy',
      'twin/init.zy',
      'web/deep/a.zy',
      'web/init.zy',
      'web/tls.sls',
    ]);
  });

  it('finds the file of a name', () => {
    expect(paths.find('common')).toEqual({ path: 'common.zy' });
    expect(paths.find('web')).toEqual({ path: 'web/init.zy' });
    expect(paths.find('web.tls')).toEqual({ path: 'web/tls.sls' });
  });

  it.each([
    ['comon', 'there is no settings file comon', 'did you mean common?', true],
    ['db', 'there is no settings file db', 'looked for db/init.zy, db.zy, db/init.sls, db.sls', true],
    [
      'top',
      'top.zy has a meaning of its own, so top cannot be a settings file',
      'give the file another name',
      false,
    ],
    ['twin', 'twin is both twin/init.zy and twin.zy', 'remove or rename one of them', false],
    ['web/tls.sls', '"web/tls.sls" cannot be the name of a settings file', 'write web.tls', false],
    [
      '../etc',
      '"../etc" cannot be the name of a settings file',
      'write names with dots between them: common.base',
      false,
    ],
  ])('says of %s what is wrong', (ref, problem, hint, isMissing) => {
    expect(paths.find(ref)).toEqual({ problem, hint, isMissing });
  });

  it('takes a pattern for the names that it fits, sorted; for itself where it fits none', () => {
    expect(paths.named('web.*')).toEqual(['web.deep.a', 'web.tls']);
    expect(paths.named('*')).toEqual(['common', 'twin', 'web', 'web.deep.a', 'web.tls']);
    expect(paths.named('none.*')).toEqual(['none.*']);
    expect(paths.named('we[b')).toEqual(['we[b']);
    expect(paths.named('common')).toEqual(['common']);
  });
});
