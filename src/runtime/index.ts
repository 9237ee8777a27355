export { type Clock, sleep, type Timer } from './clock.ts';
export { encodeKsuid, ksuidTimeMs, newKsuid } from './ids.ts';
export { jsonLog, type Log, type LogFields, type LogLevel, type LogOptions } from './log.ts';
export { jitter, type Random } from './random.ts';
export type { Runtime } from './runtime.ts';
export { seededRandom } from './seeded-random.ts';
export { systemClock } from './system-clock.ts';
export { systemRandom } from './system-random.ts';
export { type VirtualClock, virtualClock } from './virtual-clock.ts';
