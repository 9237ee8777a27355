/** Errors that a master answers to a dispatch or a question about targets. The text travels; the code stands behind it. */
import type { ErrorSpec } from './error-spec.ts';

export const MASTER_ERRORS = {
  MASTER_USAGE: {
    exit: 1,
    http: 400,
    text: 'zester-master cannot be started like this: {problem}',
    meaning:
      'An option is unknown, doubled, missing or has a value that cannot be used; nothing was started.',
    hint: 'run `zester-master --help` for the options',
  },
  MASTER_OTHER_KEYS: {
    exit: 1,
    http: 500,
    text: 'this master has another fleet key than the fleet: {bucket}/{key} is not of its account.seed',
    meaning:
      'A master compares the public keys that the peels know with its own before it does anything else. With others its commands would be refused and its secrets could not be opened, so it does not start, and it never replaces a key.',
    hint: 'copy the auth directory of a master that works; if this one is right and the store came from another deployment, remove the key with `nats kv del {bucket} {key}` and start the masters again',
  },
  MASTER_NO_TARGETS: {
    exit: 1,
    http: 400,
    text: 'job {jid} names no targets',
    meaning: 'A job was sent to the masters with an empty list of targets; nothing was written.',
    hint: 'resolve the target first; a target that matches no peel is no job',
  },
  MASTER_NO_FUNCTION: {
    exit: 1,
    http: 400,
    text: 'job {jid} names no function',
    meaning: 'A job was sent to the masters without the function to run; nothing was written.',
    hint: 'name a function, such as test.ping',
  },
  MASTER_TIMEOUT_TOO_LONG: {
    exit: 1,
    http: 400,
    text: 'job {jid} wants to wait {days} days; the limit is {max}',
    meaning:
      'Records of jobs are kept for 7 days, so a job cannot be waited for longer; nothing was written.',
    hint: 'give a shorter --timeout; returns that come after it are still recorded',
  },
  MASTER_JOB_TOO_LARGE: {
    exit: 1,
    http: 413,
    text: 'job {jid} with {targets} targets needs messages of {bytes} bytes; NATS takes {max}',
    meaning: 'The record or the request of the job does not fit a NATS message; nothing was written.',
    hint: 'send smaller arguments or target fewer peels, or raise max_payload on every server',
  },
  MASTER_PROTOCOL: {
    exit: 1,
    http: 400,
    text: 'job {jid} speaks protocol {protocol}; this master speaks {own}',
    meaning: 'The client is newer than the master and may mean something the master cannot know.',
    hint: 'upgrade the masters',
  },
  MASTER_CLAIM_PENDING: {
    exit: 1,
    http: 503,
    text: 'claim pending: master {owner} has taken job {jid} and not sent it yet',
    meaning: 'Another master is at the same job, or died at it. Neither success nor failure: ask again.',
    hint: 'send the same job again in a second; if its master died, another one takes it over',
  },
  MASTER_DISPATCH_PENDING: {
    exit: 1,
    http: 503,
    text: 'claim pending: job {jid} waits for the store at step {step} ({reason}); {rows} rows wait to be stored',
    meaning:
      'The master has the job and the store has not taken a step of its dispatch yet. It is tried until the deadline of the job; nothing was sent to any peel so far.',
    hint: 'ask again, or look with `zester job show {jid}`; `zester job kill {jid}` gives it up',
  },
  MASTER_CLAIM_LOST: {
    exit: 1,
    http: 503,
    text: 'job {jid} was taken over by {owner} before it could be sent',
    meaning: 'The record changed under the master that was about to send the job; it sent nothing.',
    hint: 'send the same job again, or look at it with `zester job show {jid}`',
  },
  MASTER_JID_TAKEN: {
    exit: 1,
    http: 409,
    text: 'job id {jid} belongs to another job',
    meaning: 'A record with this id is there and asks for something else; nothing was changed.',
    hint: 'make a new id for a new job',
  },
  MASTER_DISPATCH_FAILED: {
    exit: 1,
    http: 503,
    text: 'dispatch of job {jid} failed at step {step}: {reason}',
    meaning: 'A step of the dispatch failed and nothing was sent to any peel.',
    hint: 'send the same job again: it goes on where it stopped',
  },
  MASTER_BUSY: {
    exit: 1,
    http: 503,
    text: 'this master has {count} {what} in hand, its limit',
    meaning: 'A bound of the master is reached; it refuses rather than letting everything wait.',
    hint: 'try again in a moment, or start another master',
  },
  MASTER_STOPPING: {
    exit: 1,
    http: 503,
    text: 'this master is stopping',
    meaning: 'The request reached a master that takes no new work; nothing was done.',
    hint: 'send it again: another master answers, or this one after its restart',
  },
  MASTER_QUESTION_UNREADABLE: {
    exit: 1,
    http: 400,
    text: 'decode: {problem}',
    meaning:
      'A job that was handed in, or a question about targets, was not in the form that the wire reference gives.',
    hint: 'use a client that speaks the same protocol',
  },
  MASTER_INDEX_NOT_READY: {
    exit: 1,
    http: 503,
    text: 'this master has not read all facts yet',
    meaning: 'A master that has just started cannot tell yet which peels a target means.',
    hint: 'try again in a second',
  },
  MASTER_FACTS_REFUSED: {
    exit: 1,
    http: 403,
    text: 'facts of other peels are not given to a peel',
    meaning: 'A peel asked for the facts behind a target; it may only learn which peels match.',
    hint: 'share what others need through the basket',
  },
  MASTER_FACT_HIDDEN: {
    exit: 1,
    http: 403,
    text: 'fact {path} is not visible to peels',
    meaning:
      'A peel asked which peels have a certain fact. Whoever may ask so can guess the fact of any machine letter by letter, so for peels only ids match, and facts that the operator lists.',
    hint: 'target by id, or start every master with --facts-visible-to-peels {path}',
  },
  MASTER_RESOLVE_TOO_SLOW: {
    exit: 1,
    http: 422,
    text: 'resolving the target took longer than {ms} ms',
    meaning: 'The target is so costly to match against this many peels that the master gave it up.',
    hint: 'use a simpler pattern: a glob or a fact instead of a regular expression',
  },
  MASTER_ANSWER_TOO_LARGE: {
    exit: 1,
    http: 413,
    text: 'the answer has {bytes} bytes; NATS takes {max}',
    meaning: 'The peels or facts that were asked for do not fit one message.',
    hint: 'ask for fewer peels, or without their facts',
  },
} as const satisfies Record<string, ErrorSpec>;
