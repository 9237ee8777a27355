/**
 * The trouble book knows when something was wrong with a node, or with the server: what may be promised of a peel that is well is
 * promised only between two troubles.
 */
import type { FaultKind, PlannedFault } from './faults.ts';

/** A clock that jumped stays wrong. */
const FOR_GOOD: readonly FaultKind[] = ['clock-jump', 'nats-forgets'];

interface Trouble {
  readonly fromMs: number;
  readonly toMs: number;
}

export class TroubleBook {
  private readonly nowMs: () => number;
  private readonly troubles = new Map<string, Trouble[]>();

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  note({ node, kind, forMs }: Pick<PlannedFault, 'node' | 'kind' | 'forMs'>): void {
    const fromMs = this.nowMs();
    const toMs = FOR_GOOD.includes(kind) ? Number.POSITIVE_INFINITY : fromMs + forMs;
    this.troubles.set(node, [...(this.troubles.get(node) ?? []), { fromMs, toMs }]);
  }

  /** Whether nothing was wrong with any of these nodes in that time, nor had been for `restMs` before. */
  wereWell(nodes: readonly string[], fromMs: number, toMs: number, restMs: number): boolean {
    const isIn = (trouble: Trouble) => trouble.fromMs <= toMs && trouble.toMs + restMs >= fromMs;
    return nodes.every((node) => !this.troubles.get(node)?.some(isIn));
  }
}
