/** Errors of secrets: on masters that seal them, and for operators who set them. No message ever has a value. */
import type { ErrorSpec } from './error-spec.ts';

export const SECRET_ERRORS = {
  SECRET_SETTINGS_TORN: {
    exit: 1,
    http: 503,
    text: 'the settings in bucket {bucket} are not whole: {problem}',
    meaning:
      'Masters share the settings with their secrets through a bucket, and what is there does not belong together: a publish is under way or was interrupted. Nothing was sealed from it.',
    hint: 'try again in a moment; `zester files publish` writes the set anew',
  },
  SECRET_FILE_NAME: {
    exit: 1,
    http: 400,
    text: '{file} cannot hold secrets: it is no settings file',
    meaning:
      'A secret goes into a file that the top file can give out: a path below the settings directory that ends in .zy or .sls, and not the top file itself.',
    hint: 'name a file as it is called in the settings directory, such as db/credentials.zy',
  },
  SECRET_PATH: {
    exit: 1,
    http: 400,
    text: '{path} cannot be the path of a setting',
    meaning: 'A path is keys with dots between them; any other character of a key may be written as %20.',
    hint: 'write it as database.password, or users.0.password for an item of a list',
  },
  SECRET_SEAL: {
    exit: 1,
    http: 409,
    text: 'the value was sealed to another fleet key than the masters have',
    meaning: 'The master could not open the value that it was sent. Nothing was changed.',
    hint: 'run the command again; `zester doctor` tells when the public key in the store is not that of the masters',
  },
  SECRET_TOO_SHORT: {
    exit: 1,
    http: 400,
    text: 'a secret has at least {min} characters',
    meaning: 'A shorter one would be found in every text, and so could not be kept out of logs.',
    hint: 'use a longer value, or --generate',
  },
  SECRET_NO_DIRECTORY: {
    exit: 1,
    http: 409,
    text: 'the master that publishes has no settings directory',
    meaning:
      'A secret is written into a file of the settings directory, and this master was started without one.',
    hint: 'start it with --settings DIR; `zester master list` tells which one holds the lease publisher',
  },
  SECRET_NOT_SET: {
    exit: 1,
    http: 422,
    text: '{path} cannot be set, {place}: {problem}; {advice}',
    meaning: 'The settings file has no place for the secret, or cannot be read. It was not changed.',
    hint: 'the settings directory is on the master that holds the lease publisher: `zester master list` names it',
  },
  SECRET_NOT_PUBLISHED: {
    exit: 1,
    http: 422,
    text: '{path} is in {file} now, and the settings could not be published:\n{problem}',
    meaning:
      'The value was written into the settings directory. No peel has it before the settings are published.',
    hint: 'mend what stands in the way; it is published by itself then',
  },
  SECRET_NOT_SEALED: {
    exit: 2,
    http: 503,
    text: 'sealed for {sealed} peels, and not for {failed}',
    meaning: 'The store did not take the secrets of some peels. They keep those that they have.',
    hint: 'run the command again; the log of the master says why',
  },
  SECRET_NO_PUBLISHER: {
    exit: 1,
    http: 503,
    text: 'no master answers that publishes settings',
    meaning:
      'Questions about secrets go to the master that holds the lease publisher. It was asked for half a minute, and none answered: no master is there, or none can reach the store.',
    hint: 'see who is there with `zester master list`; if a value was to be set, whether it is can be seen with `zester secret list`',
  },
  SECRET_REFUSED: {
    exit: 1,
    http: 422,
    text: '{reason}',
    meaning: 'The master that publishes settings could not do what was asked, and says why.',
    hint: 'read the reason; where it names a file, that is in the settings directory of the master',
  },
  SECRET_NO_FLEET_KEY: {
    exit: 1,
    http: 503,
    text: 'there is no fleet key to seal the value to',
    meaning:
      'A value is sealed here before it is sent. The public half of the fleet key comes from the store, where the first master puts it.',
    hint: 'start a master, and run the command again',
  },
  SECRET_IN_ARGUMENTS: {
    exit: 1,
    http: 400,
    text: 'a value is not given on the command line',
    meaning:
      'Words of a command are seen by everybody on the machine and stay in the history of the shell. What was given there was not used, and must count as known to others.',
    hint: 'leave the value out and type it when asked, pass it by a pipe, or use --generate; if what you typed was the secret, choose another one',
  },
  SECRET_NO_VALUE: {
    exit: 1,
    http: 400,
    text: 'there is no value: {problem}',
    meaning: 'The value comes from the standard input or from a prompt, and nothing that can be used came.',
    hint: 'pass it by a pipe, type it twice the same, or use --generate',
  },
} as const satisfies Record<string, ErrorSpec>;
