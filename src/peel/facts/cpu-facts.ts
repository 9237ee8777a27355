/** Collects `cpu.*`: how many processors of what kind there are. */
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { colonLines, knownFacts, readLine, readText, type TextFiles } from './machine-text.ts';

export async function cpuFacts(files: TextFiles): Promise<WireMap> {
  const text = await readText(files, '/proc/cpuinfo');
  if (text === undefined) return {};
  const maxKhz = await readLine(files, '/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq');
  // The highest speed where the kernel tells it; what cpuinfo says is that of the moment.
  return knownFacts({
    ...parseCpuinfo(text),
    ...(maxKhz === undefined ? {} : { mhz: Number(maxKhz) / 1_000 }),
  });
}

/** Processors are paragraphs. ARM has no names in them, and then there are none in the facts. */
export function parseCpuinfo(text: string): WireMap {
  const processors = text
    .split(/\n\s*\n/)
    .map(colonLines)
    .filter((lines) => lines.has('processor'));
  const [first] = processors;
  const cores = new Set(processors.map((lines) => `${lines.get('physical id')}/${lines.get('core id')}`));
  const hasCores = processors.every((lines) => lines.has('core id'));
  return knownFacts({
    count: processors.length,
    logical_count: processors.length,
    physical_count: hasCores ? cores.size : processors.length,
    model: first?.get('model name'),
    vendor: first?.get('vendor_id'),
    mhz: numberIn(first?.get('cpu MHz')),
    // In KiB, as cpuinfo has it.
    cache_size: numberIn(first?.get('cache size')),
  });
}

function numberIn(text: string | undefined): number | undefined {
  const [number] = /^\d+(?:\.\d+)?/.exec(text ?? '') ?? [];
  return number === undefined ? undefined : Number(number);
}
