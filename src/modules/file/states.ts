/** `file.*`: files, directories and links as they should be. */
import type { StateModule } from '../state-contract.ts';
import { fileAbsent } from './absent.ts';
import { fileAppend, filePrepend } from './append.ts';
import { fileBlockreplace } from './blockreplace.ts';
import { fileComment, fileUncomment } from './comment.ts';
import { fileCopy } from './copy.ts';
import { fileDirectory } from './directory.ts';
import { fileKeyvalue } from './keyvalue.ts';
import { fileLine } from './line.ts';
import { fileManaged } from './managed.ts';
import { fileRecurse } from './recurse.ts';
import { fileReplace } from './replace.ts';
import { fileSerialize } from './serialize.ts';
import { fileSymlink } from './symlink.ts';
import { fileTouch } from './touch.ts';

export const FILE_STATES: readonly StateModule[] = [
  fileAbsent,
  fileAppend,
  fileBlockreplace,
  fileComment,
  fileCopy,
  fileDirectory,
  fileKeyvalue,
  fileLine,
  fileManaged,
  filePrepend,
  fileRecurse,
  fileReplace,
  fileSerialize,
  fileSymlink,
  fileTouch,
  fileUncomment,
];
