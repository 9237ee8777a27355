/** Errors of `file.*` states: what keeps one from being reached. Found while planning: nothing was changed. */
import type { ErrorSpec } from './error-spec.ts';

export const FILE_STATE_ERRORS = {
  FILE_TO_EDIT_MISSING: {
    exit: 1,
    http: 422,
    text: '{path}: file not found',
    meaning:
      'A state is to replace something in a file that is not there, which is an error as in Salt. Nothing was changed.',
    hint: 'let it require the state that makes {path}; or say `ignore_if_missing: true`, if it need not be there',
  },
  FILE_PARENT_MISSING: {
    exit: 1,
    http: 422,
    text: 'the directory {parent} for {path} is not there',
    meaning: 'A state wants a file in a directory that does not exist. Nothing was changed.',
    hint: 'add `makedirs: true` to the state, or let it require a file.directory state for {parent}',
  },
  FILE_OBSTACLE: {
    exit: 1,
    http: 422,
    text: '{path} is {found}, and the state wants {wanted}',
    meaning:
      'Something of another kind stands where a state wants a file, directory or link. It was left as it is.',
    hint: 'look at {path}; remove it with file.absent, or choose another path. file.symlink has `force: true`',
  },
  FILE_OWNER_UNKNOWN: {
    exit: 1,
    http: 422,
    text: 'no {kind} {name} in {table}',
    meaning: 'A file is to belong to a user or group that this machine does not have. Nothing was changed.',
    hint: 'let the state require the one that makes the account, or write a number; LDAP and SSSD are not asked',
  },
  FILE_SOURCE_MISSING: {
    exit: 1,
    http: 422,
    text: 'there is no {source}{suggestion}',
    meaning:
      'The source of a file state is neither in the state tree nor on the machine. Nothing was changed.',
    hint: 'zester://web/nginx.conf and salt://web/nginx.conf are files of the state tree, /etc/nginx.conf is one of this machine',
  },
  FILE_SOURCE_UNUSABLE: {
    exit: 1,
    http: 422,
    text: 'cannot use the source {source}: {reason}',
    meaning:
      'The source of a file state has a form that is not known, or is not what the state needs. Nothing was changed.',
    hint: 'write zester://path or salt://path for the state tree, or an absolute path of this machine',
  },
  FILE_NOT_MERGEABLE: {
    exit: 1,
    http: 422,
    text: 'cannot merge into {path}: {reason}',
    meaning:
      'A state was to add data to a file that holds something else than data of that format. Nothing was changed.',
    hint: 'correct the file by hand, or leave `merge_if_exists` out to replace it',
  },
  SETTING_MISSING: {
    exit: 1,
    http: 404,
    text: 'there is no setting {setting}',
    meaning: 'A state takes its content from a setting that this peel does not have. Nothing was changed.',
    hint: "look at what the peel has: `zester '<peel>' settings.items`; write nested names as a:b:c",
  },
  FACT_MISSING: {
    exit: 1,
    http: 404,
    text: 'there is no fact {fact}',
    meaning: 'A state takes its content from a fact that this peel does not have. Nothing was changed.',
    hint: "look at what the peel has: `zester '<peel>' grains.items`; write nested names as a:b:c",
  },
} as const satisfies Record<string, ErrorSpec>;
