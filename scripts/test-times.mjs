/**
 * This file tells where the time of `npm test` went: each stage, and each room against its budget in CONTRIBUTING.md
 * (the sum of its test files; files run beside each other, so a stage takes less than its rooms). Nothing fails for
 * time: machines differ. What is over its budget is named, for whoever made it so.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './setup.mjs';

/** `| test/e2e | 300 |` in CONTRIBUTING.md: seconds for the tests of a room. */
const BUDGET_LINE = /^\| `((?:src|test)\/[a-z0-9/-]+)` \| (\d+) \|/gm;

/** For a room that is not listed. */
const SECONDS_ELSE = 5;

export function testTimes() {
  const stages = [];
  const rooms = new Map();
  return {
    async stage(name, work) {
      const startMs = performance.now();
      const result = await work();
      stages.push(`${name} ${((performance.now() - startMs) / 1_000).toFixed(0)} s`);
      return result;
    },
    /** Adds the files of vitest's report. */
    add(report) {
      for (const { name, startTime, endTime } of report.testResults) {
        const room = roomOf(relative(ROOT, name));
        rooms.set(room, (rooms.get(room) ?? 0) + (endTime - startTime) / 1_000);
      }
    },
    tell() {
      const budgets = readBudgets();
      for (const [room, seconds] of [...rooms].sort(([, a], [, b]) => b - a)) {
        const budget = budgets.get(room) ?? SECONDS_ELSE;
        if (seconds > budget)
          console.log(`${room} took ${seconds.toFixed(0)} s, over its budget of ${budget} s`);
      }
      console.log(`time: ${stages.join(', ')}; in all ${(process.uptime() / 60).toFixed(1)} min`);
    },
  };
}

/** `src/core`, `test/e2e`, `test/integration/jobs`. */
function roomOf(path) {
  const folders = path.split('/').slice(0, -1);
  return folders.slice(0, folders[1] === 'integration' || folders[1] === 'conformance' ? 3 : 2).join('/');
}

function readBudgets() {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  return new Map([...text.matchAll(BUDGET_LINE)].map(([, room, seconds]) => [room, Number(seconds)]));
}
