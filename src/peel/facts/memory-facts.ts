/** Collects `memory.*`, in bytes. */
import { percentOf } from '../../modules/percent.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { colonLines, knownFacts, readText, type TextFiles } from './machine-text.ts';

export async function memoryFacts(files: TextFiles): Promise<WireMap> {
  const text = await readText(files, '/proc/meminfo');
  return text === undefined ? {} : parseMeminfo(text);
}

export function parseMeminfo(text: string): WireMap {
  const lines = colonLines(text);
  const bytes = (key: string) => {
    const [, kibibytes] = /^(\d+) kB$/.exec(lines.get(key) ?? '') ?? [];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  };
  const total = bytes('MemTotal');
  const free = bytes('MemFree');
  // Kernels before 3.14 do not say what is available; this is how it was guessed then.
  const guess = () => sum(free, bytes('Buffers'), bytes('Cached'));
  const available = bytes('MemAvailable') ?? guess();
  const swapTotal = bytes('SwapTotal');
  const swapFree = bytes('SwapFree');
  const used = difference(total, available);
  return knownFacts({
    total,
    available,
    used,
    used_percent: total === undefined || used === undefined ? undefined : percentOf(used, total),
    free,
    swap_total: swapTotal,
    swap_used: difference(swapTotal, swapFree),
    swap_free: swapFree,
  });
}

function sum(...parts: (number | undefined)[]): number | undefined {
  return parts.reduce(
    (total, part) => (total === undefined || part === undefined ? undefined : total + part),
    0,
  );
}

function difference(whole: number | undefined, part: number | undefined): number | undefined {
  return whole === undefined || part === undefined ? undefined : Math.max(0, whole - part);
}
