/**
 * SlowFirst orders test files: the longest first, so that none runs alone at the end while a core is idle. A fresh clone
 * remembers no times, so the order is by kind: whole programs, then clusters, then the rest; among equals the larger file.
 */
import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SLOW = ['/test/e2e/', '/test/integration/cluster/', '/test/integration/jobs/', '/test/'];

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => rankOf(a) - rankOf(b) || sizeOf(b) - sizeOf(a));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = SLOW.findIndex((part) => moduleId.includes(part));
  return rank < 0 ? SLOW.length : rank;
}

function sizeOf({ moduleId }: TestSpecification): number {
  return statSync(moduleId).size;
}
