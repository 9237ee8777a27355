import { describeFiles } from './files-suite.ts';
import { linuxWorld } from './linux-world.ts';
import { memoryWorld } from './memory-world.ts';
import { describeProcesses } from './processes-suite.ts';
import { describeWatchTree } from './watch-suite.ts';

describeFiles('memory', memoryWorld);
describeFiles('linux', linuxWorld);
describeProcesses('memory', memoryWorld);
describeProcesses('linux', linuxWorld);
describeWatchTree('memory', memoryWorld);
describeWatchTree('linux', linuxWorld);
