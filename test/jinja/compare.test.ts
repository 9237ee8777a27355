/** The script behind `scripts/record-salt.sh --fresh` still runs, and its exit code tells what it found. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const SCRIPT = join(ROOT, 'scripts/record-salt/compare.mjs');

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'zester-compare-test-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

function compare(cases: readonly object[]): Promise<{ readonly stdout: string }> {
  const file = join(dir, 'cases.jsonl');
  writeFileSync(file, cases.map((each) => `${JSON.stringify(each)}\n`).join(''));
  return promisify(execFile)(process.execPath, [SCRIPT, file], { cwd: ROOT });
}

const RIGHT = { id: 'a/1', t: '{{ 1 + 1 }}', out: '2' };

describe('compare.mjs', () => {
  it('is content with what is the same', async () => {
    expect((await compare([RIGHT])).stdout).toBe('1 cases, 0 with a listed difference, 0 with another\n');
  });

  it('shows what differs, and fails', async () => {
    const wrong = { id: 'a/2', t: '{{ 1 + 1 }}', out: '3' };
    await expect(compare([RIGHT, wrong])).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('  salt     "3"\n  ours     "2"\n'),
    });
  });
});
