/** This list has the states of `cmd.*`: commands that run when something is missing or has changed. */
import type { StateModule } from '../state-contract.ts';
import { cmdRun, cmdWait } from './run-state.ts';
import { cmdScript } from './script-state.ts';

export const CMD_STATES: readonly StateModule[] = [cmdRun, cmdWait, cmdScript];
