import { describe, expect, it } from 'vitest';
import { secretPathsIn, secretUses } from './secret-uses.ts';

const SECRETS = secretPathsIn({
  db: {
    password: '__ZESTER_SECRET:db.password__',
    url: 'pg://x:__ZESTER_SECRET:db.password__@db',
    host: 'db',
  },
  users: [{ key: '__ZESTER_SECRET:users.0.key__' }],
});

const uses = (text: string) => secretUses('a.zy', text, SECRETS).map(({ at }) => `${at.line}:${at.column}`);

it('secretPathsIn finds placeholders, alone and inside of longer texts', () => {
  expect([...SECRETS]).toEqual(['db:password', 'db:url', 'users:0:key']);
});

describe('secretUses', () => {
  it.each([
    '{% if settings.db.password == "x" %}{% endif %}',
    '{% if "x" in pillar["db"]["password"] %}{% endif %}',
    '{% if settings.db.password %}{% endif %}',
    '{% for c in settings.db.password %}{% endfor %}',
    '{{ settings.db.password | sha256 }}',
    '{{ settings.db.password | default("x") | length }}',
    '{{ settings.db.password.upper() }}',
    '{{ settings.db.password[0] }}',
    '{{ settings.users[0].key is match("x") }}',
    '{{ not settings.db.url }}',
    '{{ "a" if settings.db.url else "b" }}',
    '{{ settings.db.password or "x" }}',
    '{{ "%s" % settings.db.host * settings.db.password }}',
    "{{ salt['pillar.get']('db:password') | upper }}",
    "{{ salt.pillar.get('db.password') | upper }}",
    "{{ pillar_get('db:password') | upper }}",
    "{{ settings.db.get('password') | upper }}",
  ])('warns of %s', (text) => {
    expect(uses(text)).toHaveLength(1);
  });

  it.each([
    '{{ settings.db.password }}',
    'url: "pg://{{ settings.db.password }}@db"',
    '{{ "pg://" ~ settings.db.password }}',
    '{{ "pg://" + settings.db.password }}',
    '{{ settings.db.password | default("x") }}',
    '{{ settings.db.password | yaml_dquote }}',
    '{% if settings.db.password is defined %}{% endif %}',
    '{% set p = settings.db.password %}',
    '{{ settings.db.host | upper }}',
    '{% if settings.db %}{% endif %}',
    '{{ other.db.password | upper }}',
    '{{ settings[name].password | upper }}',
    '{% if %}',
  ])('has nothing to say about %s', (text) => {
    expect(uses(text)).toEqual([]);
  });

  it('says where, and what to do', () => {
    expect(secretUses('a.zy', 'x: 1\ny: {{ settings.db.password | length }}\n', SECRETS)).toEqual([
      {
        message:
          'db:password is a secret: the template sees only its placeholder here, and what it computes from it is wrong',
        at: { file: 'a.zy', line: 2, column: 19 },
        chain: [],
        hint: 'print it, alone or inside of a longer text; decide by another setting',
        severity: 'warning',
      },
    ]);
  });
});
