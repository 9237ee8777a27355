/**
 * These functions write the settings tree of the leak test, as people would: secrets in every form that YAML has for a text,
 * beside a control that is no secret. And the trees that a master must refuse without giving away what is in them.
 */
import type { Controls, PlantedCanaries } from './canaries.ts';

/** A tree by its paths. */
export type PlantedTexts = Readonly<Record<string, string>>;

/** Where secrets are allowed to lie: the files of the source tree that have them. */
export const SETTINGS_WITH_SECRETS = ['web.zy', 'users.zy', 'database.zy', 'sealed.zy'] as const;

/** `out`: the directory that the states write into. */
export function leakSettings(secrets: PlantedCanaries, { setting }: Controls, out: string): PlantedTexts {
  return {
    'top.zy': [
      'base:',
      "  '*':",
      '    - common',
      "  'web-*':",
      '    - web',
      '    - users',
      '    - sealed',
      "  'db-*':",
      '    - database',
      '',
    ].join('\n'),
    'common.zy': `control: ${setting}\nout: ${out}/{{ grains.id }}\n`,
    'web.zy': [
      '# What the web servers know.',
      'secrets:',
      `  short: !encrypted '${secrets.short}'`,
      `  long: !encrypted ${secrets.long}`,
      `  digits: !encrypted ${secrets.digits}`,
      `  quotes: !encrypted ${JSON.stringify(secrets.quotes)}`,
      `  unicode: !encrypted "${secrets.unicode}"`,
      `  token: !encrypted ${secrets.token}`,
      `  turning: !encrypted "${secrets.former}"`,
      '  pem: !encrypted |',
      ...secrets.pem
        .trimEnd()
        .split('\n')
        .map((line) => `    ${line}`),
      '',
    ].join('\n'),
    'users.zy': `users:\n  - name: ann\n    password: !encrypted "${secrets.listed}"\n`,
    'sealed.zy': `from_the_command_line: {}\n`,
    'database.zy': `database:\n  password: !encrypted "${secrets.database}"\n`,
  };
}

/** What must not be published, by what is wrong with it: files that are laid over the tree. */
export function refusedSettings({ refused }: PlantedCanaries): Readonly<Record<string, PlantedTexts>> {
  return {
    'no YAML before it is rendered': {
      'web.zy': `secrets:\n  {% if true %}\n  long: !encrypted "${refused}"\n  {% endif %}\n   odd: [${refused}\n`,
    },
    'a secret that is a list': { 'web.zy': `secrets: !encrypted\n  - ${refused}\n` },
    'a secret for whoever says so of itself': {
      'top.zy': "base:\n  'G@role:web':\n    - web\n",
      'web.zy': `secrets:\n  long: !encrypted "${refused}"\n`,
    },
    'a secret that is sealed to another fleet': {
      'web.zy': `secrets:\n  long: !encrypted "ENC[fleet,1,${Buffer.from(refused).toString('base64')}]"\n`,
    },
  };
}
