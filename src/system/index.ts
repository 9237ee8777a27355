/** The System port and its two adapters. */
export type { Accounts, Group, User } from './accounts.ts';
export type { ClockReading, ClockSkewQuery } from './clock-skew.ts';
export { errnoOf } from './errno.ts';
export {
  DEPTH_MAX,
  type FileKind,
  type FileStat,
  type Files,
  type MakeDirectoryOptions,
  type Owner,
  type ReadFiles,
  type ReadOptions,
  TEMPORARY_NAME,
  type WalkEntry,
  type WalkOptions,
  type WriteOptions,
} from './files.ts';
export { type LinuxSystemOptions, linuxSystem } from './linux/linux-system.ts';
export type { FaultHook, SystemCall } from './memory/memory-gate.ts';
export {
  type MemoryMachine,
  type MemoryMachineOptions,
  memoryMachine,
  memorySystem,
} from './memory/memory-machine.ts';
export type { Credentials } from './memory/memory-paths.ts';
export type { FakeProcess, FakeProgram, ProgramTable } from './memory/memory-process-calls.ts';
export {
  KILL_GRACE_MS,
  type Output,
  outputText,
  type Processes,
  type RunOptions,
  type RunRequest,
  type RunResult,
} from './processes.ts';
export { type ReadSystem, readOnly, type System } from './system.ts';
