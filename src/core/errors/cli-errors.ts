/** Errors of the command line: words, options and files that `zester` cannot use, and deployments it cannot manage. */
import type { ErrorSpec } from './error-spec.ts';

export const CLI_ERRORS = {
  CLI_UNKNOWN_COMMAND: {
    exit: 1,
    http: 400,
    text: '{command} is not a command{suggestion}',
    meaning: 'The words after `zester` are neither a command nor a target with a function; nothing was done.',
    hint: "to run something on peels write `zester '<target>' module.function`, as in `zester 'web*' test.ping`; `zester --help` lists the commands",
  },
  CLI_WHICH_COMMAND: {
    exit: 1,
    http: 400,
    text: 'which {group} command? There are: {commands}',
    meaning: 'The first word of a command was given without the second.',
    hint: 'run `zester {group} --help` to see what they do',
  },
  CLI_UNKNOWN_OPTION: {
    exit: 1,
    http: 400,
    text: '{command} has no option {option}{suggestion}',
    meaning: 'An option was given that the command does not know; nothing was done.',
    hint: 'run `zester {command} --help` for its options',
  },
  SIM_USAGE: {
    exit: 1,
    http: 400,
    text: 'there is no such simulation: {problem}',
    meaning: 'An option of `zester sim` is unknown or has a value that cannot be used; nothing was run.',
    hint: 'run `zester sim --help` for the options',
  },
  CLI_OPTION_VALUE: {
    exit: 1,
    http: 400,
    text: 'option {option} {problem}',
    meaning: 'An option lacks its value, was given twice, or its value cannot be used; nothing was done.',
    hint: 'run the command with --help to see what the option takes',
  },
  CLI_EXTRA_ARGUMENT: {
    exit: 1,
    http: 400,
    text: '{command} does not take the argument {argument}',
    meaning: 'More words were given than the command takes; nothing was done.',
    hint: 'run `zester {command} --help` to see how it is called',
  },
  CLI_MISSING_OPTION: {
    exit: 1,
    http: 400,
    text: '{command} needs {option}',
    meaning: 'An option without which the command cannot work was not given; nothing was done.',
    hint: 'run `zester {command} --help` for an example',
  },
  CLI_INTERRUPTED: {
    exit: 130,
    http: 503,
    text: 'interrupted while waiting for {what}: {standing}',
    meaning:
      'Ctrl-C, or a signal that asks to end, came while the command waited. A job that was sent goes on.',
    hint: 'to go on: {next}',
  },
  CLI_OUTPUT: {
    exit: 1,
    http: 500,
    text: 'the output could not be written',
    meaning: 'What the command was asked for could not be printed, as on a full disk. What it did is done.',
    hint: 'make room where the output goes; for a job, `zester job list` and `zester job show` tell how it went',
  },
  CLI_NO_DEPLOYMENT: {
    exit: 1,
    http: 503,
    text: 'no deployment is up in {dir}',
    meaning: 'The command found no fleet file in the directory and was given no address of a NATS server.',
    hint: 'start one with `zester up`, or name yours with --nats-url and --auth-dir',
  },
  CLI_TWO_PLACES: {
    exit: 1,
    http: 400,
    text: '{one} and {other} each name a deployment',
    meaning:
      'One of them would have to be ignored, and the command might go to the wrong fleet; nothing was done.',
    hint: 'name one: --dir for a local fleet, --nats-url for another; either wins over variables',
  },
  CLI_UP_FAILED: {
    exit: 1,
    http: 500,
    text: 'the fleet did not come up in the background; its log {log} ends with:\n{lines}',
    meaning: 'The background process of `zester up --detach` ended before its fleet was up.',
    hint: 'read the lines above; they are those of `zester up`',
  },
  CLI_FLEET_FILE: {
    exit: 1,
    http: 500,
    text: 'cannot read {path}',
    meaning: 'The file that tells how to reach a local deployment is damaged.',
    hint: 'stop the deployment, delete the file and run `zester up` again',
  },
  CLI_FLEET_UP: {
    exit: 1,
    http: 500,
    text: 'the fleet in {dir} is up, or was killed and not stopped',
    meaning:
      'What was asked for changes files that its servers read when they start; running ones would let nobody in any more.',
    hint: 'stop it with `zester down --dir {dir}`, and try again',
  },
  CLI_FLEET_SERVERS: {
    exit: 1,
    http: 409,
    text: 'the fleet in {dir} has a number of NATS servers, {has}, that cannot become {wanted}',
    meaning:
      'How many servers a local fleet has is settled at its first start, because what one server has stored is not on the others. Nothing was started.',
    hint: 'leave --servers out to start it as it is, or make a new fleet in another directory with --dir',
  },
  CLI_DOWN_LEFT: {
    exit: 1,
    http: 500,
    text: 'still running in {dir}: {processes}',
    meaning:
      '`zester down` ended what it could and looked again; these processes of the fleet are still there.',
    hint: 'they may belong to another user, or another `zester up` was started meanwhile; look at them with ps, then run `zester down` again',
  },
  CLI_UP_JOIN: {
    exit: 1,
    http: 500,
    text: '{peel} could not join the fleet',
    meaning:
      '`zester up` lets its peels join through the enrollment door of its masters, as any machine does, and that failed.',
    hint: 'see the reason; the logs of the masters are in the directory `logs` of the fleet',
  },
  CLI_EXEC_WORDS: {
    exit: 1,
    http: 400,
    text: '{problem}',
    meaning: 'The words of an execution are not a target, a function and its arguments; nothing was sent.',
    hint: "write `zester '<target>' module.function [argument] [key=value …]`, as in `zester 'web*' cmd.run uptime`",
  },
  CLI_NO_MATCH: {
    exit: 1,
    http: 404,
    text: 'no peel matches {target}',
    meaning: 'The target means no known peel; nothing was sent.',
    hint: 'run `zester peel list` for the peels that are known',
  },
  CLI_NONE_ONLINE: {
    exit: 1,
    http: 404,
    text: 'of {count} peels that match {target} none is online',
    meaning:
      'Only peels with a heartbeat were asked for (--online-only), and none of those has one; nothing was sent.',
    hint: 'run `zester peel list` to see when they were last seen; without --online-only the job waits for them until its deadline',
  },
  CLI_TARGET_REFUSED: {
    exit: 1,
    http: 400,
    text: 'the target {target} was refused: {reason}',
    meaning: 'A master could not make sense of the target, or could not tell; nothing was sent.',
    hint: 'see docs/guides/targeting.md for the grammar',
  },
  CLI_TARGET_SEALED: {
    exit: 1,
    http: 503,
    text: 'no master answers, and {target} asks for {name}, a fact that operators set',
    meaning:
      'Facts that operators set are sealed in the store, and only masters can open them. So nobody here can say which peels are meant; nothing was sent.',
    hint: 'name the peels by id, or run `zester master list` to see why no master answers',
  },
  CLI_DISPATCH_REFUSED: {
    exit: 1,
    http: 422,
    text: 'the job was not dispatched: {reason}',
    meaning: 'A master refused the job before anything was sent to a peel.',
    hint: 'read the reason; the same command may be tried again',
  },
  CLI_DISPATCH_UNKNOWN: {
    exit: 1,
    http: 504,
    text: 'no master confirmed job {jid} within {seconds} s',
    meaning:
      'The job was handed to the masters and none confirmed that it was sent. It may have been, and a master that is frozen may still send it when it goes on; its time counts from then.',
    hint: 'run `zester job show {jid}` to see, or `zester job kill {jid}` so that no master sends it any more; check that a master is running',
  },
  CLI_JOB_UNKNOWN: {
    exit: 1,
    http: 404,
    text: 'there is no job {jid}',
    meaning:
      'No record of this job exists: it was never dispatched, or it is older than the retention of 7 days.',
    hint: 'run `zester job list` for the jobs that are known',
  },
  CLI_JOB_AMBIGUOUS: {
    exit: 1,
    http: 409,
    text: '{count} jobs begin with {part}:{candidates}',
    meaning: 'The part of a job id that was given does not say which job is meant; nothing was done.',
    hint: 'give more of the id; ids of one time begin alike',
  },
  CLI_JOB_UNREADABLE: {
    exit: 1,
    http: 502,
    text: 'the record of job {jid} cannot be read: {problem}',
    meaning:
      'The store has something under this id that is no record of a job: a newer version wrote it, or something that is not Zester.',
    hint: 'use the version that your masters have; `zester master list` tells it',
  },
  CLI_NO_MASTER: {
    exit: 1,
    http: 503,
    text: 'no master is alive',
    meaning: 'No master has a living heartbeat: no job is taken, and those that run wait for a master.',
    hint: 'start one: zester-master with the address of NATS and the auth directory, or `zester up` on one machine; it takes over what others left. `zester doctor` looks at the rest',
  },
  CLI_PEEL_AWAY: {
    exit: 3,
    http: 503,
    text: '{peel} is not there to be asked: it has no heartbeat',
    meaning:
      'A question that only the peel itself can answer was not sent, because the peel is not connected.',
    hint: 'run `zester peel list` to see when it was last seen',
  },
  CLI_PEEL_SILENT: {
    exit: 3,
    http: 504,
    text: '{peel} did not answer in time',
    meaning: 'A question was sent to a peel as a job, and no answer came before its deadline.',
    hint: 'see what became of it: `zester job show {jid}`; give it longer with --timeout',
  },
  CLI_PEEL_FAILED: {
    exit: 2,
    http: 502,
    text: '{peel} could not answer: {reason}',
    meaning: 'A peel was asked, and answered with an error or with what cannot be read.',
    hint: 'mend what it says; `zester doctor` looks at the whole fleet',
  },
  CLI_SETTING_UNKNOWN: {
    exit: 1,
    http: 404,
    text: '{peel} has no setting {key}{suggestion}',
    meaning: 'A setting of a peel was asked for that it does not have.',
    hint: 'look at all of them: `zester settings show {peel}`',
  },
  CLI_PEEL_UNKNOWN: {
    exit: 1,
    http: 404,
    text: 'there is no peel {peel}{suggestion}',
    meaning: 'No facts and no heartbeat of a peel of this name exist.',
    hint: 'run `zester peel list` for the peels that are known',
  },
} as const satisfies Record<string, ErrorSpec>;
