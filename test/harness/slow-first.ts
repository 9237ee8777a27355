/**
 * SlowFirst orders test files: the longest first, so that none runs alone at the end while a core is idle. A fresh clone
 * remembers no times, so the order is by kind: whole programs, then clusters, then the rest; among equals the larger file.
 *
 * Whole programs keep the processors busy, clusters mostly wait for an election or a heartbeat that is late: one of each in
 * turn, so that the waiting of some is the time of the others.
 */
import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const BUSY = '/test/e2e/';
const SLOW = [BUSY, '/test/integration/cluster/', '/test/integration/jobs/', '/test/'];

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = [...files].sort((a, b) => rankOf(a) - rankOf(b) || sizeOf(b) - sizeOf(a));
    const isBusy = ({ moduleId }: TestSpecification) => moduleId.includes(BUSY);
    return inTurn(
      sorted.filter(isBusy),
      sorted.filter((file) => !isBusy(file)),
    );
  }
}

/** One of each, and in the end what is left of the longer one. */
function inTurn<T>(some: readonly T[], others: readonly T[]): T[] {
  const both = Math.min(some.length, others.length);
  const pairs = some.slice(0, both).flatMap((one, at) => [one, ...others.slice(at, at + 1)]);
  return [...pairs, ...some.slice(both), ...others.slice(both)];
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = SLOW.findIndex((part) => moduleId.includes(part));
  return rank < 0 ? SLOW.length : rank;
}

function sizeOf({ moduleId }: TestSpecification): number {
  return statSync(moduleId).size;
}
