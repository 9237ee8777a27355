/**
 * This file measures a resolve of settings as a peel does it after every new revision: a tree on disk with 1,000 keys in 20
 * files that a top file names, templates in each, a few secrets.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveSettings, type SettingsInput } from '../src/core/settings/resolve-settings.ts';
import { placeholderOf } from '../src/core/settings/secret-placeholders.ts';
import { NO_WORDS } from '../src/core/target/operator-words.ts';
import { localTree } from '../src/peel/states/local-tree.ts';
import { digest, hmac } from '../src/runtime/digest.ts';
import { systemClock } from '../src/runtime/system-clock.ts';
import { systemRandom } from '../src/runtime/system-random.ts';
import { linuxSystem } from '../src/system/linux/linux-system.ts';
import { peelIdOfName } from '../src/wire/names/ids.ts';

const FILES = 20;
const KEYS_PER_FILE = 50;
const WARM_UP_ROUNDS = 100;

/** Milliseconds of each round. */
export async function timeResolve(rounds: number): Promise<readonly number[]> {
  const dir = mkdtempSync(join(tmpdir(), 'zester-bench-'));
  try {
    writeSettings(dir);
    const times: number[] = [];
    for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
      // Nothing is remembered from one to the next: a peel resolves again because the tree is another.
      const startMs = systemClock.monotonicMs();
      const { settings } = await resolveSettings(inputOf(dir));
      const tookMs = systemClock.monotonicMs() - startMs;
      if (Object.keys(settings).length !== FILES) throw new Error('not all settings are there');
      if (round >= 0) times.push(tookMs);
    }
    return times;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function writeSettings(dir: string): void {
  mkdirSync(join(dir, 'app'));
  const refs = Array.from({ length: FILES }, (_, file) => `    - app.part${file}\n`);
  writeFileSync(join(dir, 'top.zy'), `base:\n  '*':\n${refs.join('')}`);
  for (let file = 0; file < FILES; file++) {
    const keys = Array.from(
      { length: KEYS_PER_FILE - 2 },
      (_, key) => `  key${key}: value ${file} of ${key}\n`,
    );
    const secret = `  password: "${placeholderOf(`part${file}.password`)}"\n`;
    const text = `part${file}:\n  host: {{ grains.id }}\n${keys.join('')}${secret}`;
    writeFileSync(join(dir, 'app', `part${file}.zy`), text);
  }
}

function inputOf(dir: string): SettingsInput {
  const peelId = peelIdOfName('bench');
  if (peelId === undefined) throw new Error('a bad id');
  const { files } = linuxSystem({ clock: systemClock, random: systemRandom });
  return {
    tree: localTree(files, dir),
    peelId,
    facts: { os: { family: 'debian' } },
    words: NO_WORDS,
    machine: {
      functionNames: [],
      callFunction: async () => '',
      hasProgram: async () => false,
      userInfo: async () => ({}),
    },
    runtime: {
      digest,
      hmac,
      random: () => systemRandom.fraction(),
      nowMs: () => systemClock.nowMs(),
    },
    signal: new AbortController().signal,
    secrets: new Map(Array.from({ length: FILES }, (_, file) => [`part${file}.password`, `s3cret-${file}`])),
  };
}
