/**
 * `streamStatus` tells a waiting machine where its enrollment stands, as server-sent events: the state at once and at every change, a
 * comment every `HEARTBEAT_MS` so that nothing in between takes the line for dead, and the end as soon as it is no longer
 * pending, or `timeout` after `STREAM_MS_MAX`. Fed from memory: a machine that waits costs the store nothing.
 *
 * A machine that does not read is let go: what waits for it is bounded by `UNREAD_BYTES_MAX`. The stream may end at any moment,
 * also because the master does; the machine asks again, here or elsewhere, and is told the state at once.
 */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../runtime/clock.ts';
import type { Enrollment } from '../../../wire/records/enroll/enrollment.ts';
import type { EnrollmentDesk } from '../enrollment-desk.ts';
import { statusBody } from './door-answers.ts';

export const HEARTBEAT_MS = 30_000;
const STREAM_MS_MAX = 1_800_000;
const UNREAD_BYTES_MAX = 16_384;

/** Resolves when the stream is over. */
export function streamStatus(
  desk: EnrollmentDesk,
  first: Enrollment,
  response: ServerResponse,
  clock: Clock,
): Promise<void> {
  return new Promise((resolve) => {
    let shown = '';
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      news.unsubscribe();
      end.cancel();
      beat.cancel();
      response.end();
      resolve();
    };
    const write = (text: string) => {
      if (isOver) return;
      if (response.writableLength > UNREAD_BYTES_MAX) response.destroy();
      else response.write(text);
    };
    const tell = (record: Enrollment) => {
      if (record.state !== shown) write(`event: state\ndata: ${JSON.stringify(statusBody(record))}\n\n`);
      shown = record.state;
      if (record.state !== 'pending') over();
    };
    const beatAgain = () =>
      clock.after(HEARTBEAT_MS, () => {
        write(': still waiting\n\n');
        beat = beatAgain();
      });
    const news = desk.onChange(first.id, tell);
    const end = clock.after(STREAM_MS_MAX, () => {
      write(`event: timeout\ndata: ${JSON.stringify(statusBody(first))}\n\n`);
      over();
    });
    let beat = beatAgain();
    response.on('close', over);
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
      'x-accel-buffering': 'no',
    });
    // It may have changed since it was read.
    tell(desk.known(first.id) ?? first);
  });
}
