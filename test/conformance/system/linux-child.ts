/**
 * This program runs file calls in a process of its own, bundled by `linux-world.ts`: as another user, or to be killed
 * on the way.
 */
import { isZesterError } from '../../../src/core/errors/zester-error.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { errnoOf } from '../../../src/system/errno.ts';
import { filesOn } from '../../../src/system/files-on-calls.ts';
import { linuxFileCalls } from '../../../src/system/linux/linux-file-calls.ts';

const [what = '', path = '', text = ''] = process.argv.slice(2);
const files = filesOn(
  {
    ...linuxFileCalls,
    rename: (from, to) => {
      if (what === 'die-before-rename') process.kill(process.pid, 'SIGKILL');
      return linuxFileCalls.rename(from, to);
    },
  },
  systemRandom,
);

try {
  const answer = await call();
  console.log(JSON.stringify({ answer: answer === undefined ? 'absent' : 'done' }));
} catch (error) {
  console.log(
    JSON.stringify({ code: isZesterError(error) ? error.code : String(error), errno: errnoOf(error) }),
  );
}

async function call(): Promise<unknown> {
  if (what === 'read' || what === 'list' || what === 'lstat') return files[what](path);
  if (what === 'removeFile') return (await files.removeFile(path)) || undefined;
  if (what === 'chmod') await files.chmod(path, 0o777);
  else await files.writeAtomic(path, Buffer.from(text));
  return true;
}
