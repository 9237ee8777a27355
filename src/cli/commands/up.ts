import { relative, resolve } from 'node:path';
import type { Command } from '../command.ts';
import { FORMAT_OPTION, labelled, printRecord } from '../common-options.ts';
import { currentUser } from '../current-user.ts';
import { type LocalDeployment, startLocalDeployment } from '../local-deployment.ts';
import { versionLine } from '../version.ts';

export const upCommand: Command = {
  words: ['up'],
  summary: 'start a local deployment in the foreground; Ctrl-C stops it',
  examples: ['zester up', 'zester up --dir /tmp/fleet'],
  detail: [
    'Starts an embedded nats-server with TLS and real credentials under one directory, which is made when it is not there.',
    'A server that a killed `up` left running is taken over. Everything is in the directory: delete it to start anew.',
  ].join('\n'),
  options: [
    { name: 'dir', value: 'DIR', doc: 'directory of the deployment; default $ZESTER_DIR, else .zester' },
    FORMAT_OPTION,
  ],
  async run(context, given) {
    const dir = resolve(context.cwd, given.text('dir') ?? (context.env.ZESTER_DIR || '.zester'));
    const { runtime, env, say } = context;
    const operator = currentUser(env);
    const deployment = await startLocalDeployment(dir, {
      runtime,
      env,
      operator,
      say: (line) => say(`${line}\n`),
    });
    printRecord(context, given, record(dir, deployment), () => report(context.cwd, dir, deployment));
    const failure = await Promise.race([deployment.gaveUp, interruption(context.interrupted)]);
    say(failure === undefined ? '\nStopping …\n' : '');
    await deployment.stop();
    if (failure !== undefined) throw failure;
    say('Stopped. `zester up` brings it back as it was.\n');
    return 0;
  },
};

function interruption(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

function record(dir: string, deployment: LocalDeployment) {
  return {
    dir,
    url: deployment.url,
    pid: deployment.serverPid,
    nats_server: deployment.serverVersion,
    adopted: deployment.adopted,
    auth_dir: deployment.authDir,
    log: deployment.logFile,
    ca_fingerprint: deployment.caFingerprint,
    assets: deployment.assets,
  };
}

/** As one would type it: relative below the current directory, absolute elsewhere. */
function shown(cwd: string, path: string): string {
  const near = relative(cwd, path);
  return near.startsWith('..') ? path : near;
}

function report(cwd: string, dir: string, deployment: LocalDeployment): string {
  const made = deployment.assets.filter(({ action }) => action === 'created').length;
  const kept = deployment.assets.length - made;
  return [
    `${versionLine()} is up. Ctrl-C stops it.\n`,
    labelled([
      ['directory', dir],
      [
        'nats-server',
        `${deployment.serverVersion} at ${deployment.url}, pid ${deployment.serverPid}${deployment.adopted ? ', taken over' : ''}`,
      ],
      ['', `${deployment.serverFrom}; log ${shown(cwd, deployment.logFile)}`],
      ['durability', 'an acknowledged write is on disk (sync_interval always), 1 replica'],
      ['trust', `TLS 1.3 under ${deployment.caFingerprint.slice(0, 23)}…, accounts ZESTER and AGENTS`],
      [
        'assets',
        `${made} made, ${kept} found: ${deployment.assets.length} buckets, streams and object stores`,
      ],
    ]),
    'In another terminal:\n',
    `  bin/zester ca fingerprint --dir ${shown(cwd, deployment.authDir)}`,
    '  bin/zester --help\n',
  ].join('\n');
}
