/** This list has the states of `file.*`: files, directories and links as they should be. */
import type { StateModule } from '../state-contract.ts';
import { fileAbsent } from './absent.ts';
import { fileCopy } from './copy.ts';
import { fileDirectory } from './directory.ts';
import { fileAppend, filePrepend } from './edit/append.ts';
import { fileBlockreplace } from './edit/blockreplace.ts';
import { fileComment, fileUncomment } from './edit/comment.ts';
import { fileKeyvalue } from './edit/keyvalue.ts';
import { fileLine } from './edit/line.ts';
import { fileReplace } from './edit/replace.ts';
import { fileManaged } from './managed.ts';
import { fileRecurse } from './recurse.ts';
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
