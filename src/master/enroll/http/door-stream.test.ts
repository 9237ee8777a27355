import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../../runtime/virtual-clock.ts';
import type { EnrollmentId, PeelId } from '../../../wire/names/ids.ts';
import { type Enrollment, enrollmentCodec } from '../../../wire/records/enroll/enrollment.ts';
import type { EnrollmentDesk } from '../enrollment-desk.ts';
import { streamStatus } from './door-stream.ts';

const id = `enr-${'a'.repeat(27)}` as EnrollmentId;
const record = (state: Enrollment['state']) =>
  enrollmentCodec.create({ id, peelId: 'web-1' as PeelId, state });

class Reader extends EventEmitter {
  text = '';
  writableLength = 0;
  isEnded = false;
  writeHead(): void {}
  write(text: string): void {
    this.text += text;
  }
  end(): void {
    this.isEnded = true;
  }
  destroy(): void {
    this.emit('close');
  }
}

function stream(known?: Enrollment) {
  const clock = virtualClock();
  const reader = new Reader();
  const listeners = new Set<(record: Enrollment) => void>();
  const desk = {
    known: () => known,
    onChange: (_id: EnrollmentId, listener: (record: Enrollment) => void) => {
      listeners.add(listener);
      return { unsubscribe: () => void listeners.delete(listener) };
    },
  } as unknown as EnrollmentDesk;
  const over = streamStatus(desk, record('pending'), reader as unknown as ServerResponse, clock);
  const change = (state: Enrollment['state']) => {
    for (const listener of listeners) listener(record(state));
  };
  return { clock, reader, listeners, over, change };
}

describe('the stream of a waiting machine', () => {
  it('tells the state at once, lives on comments, and ends with the decision', async () => {
    const { clock, reader, listeners, over, change } = stream();
    expect(reader.text).toContain('event: state\ndata: {"id":"');
    await clock.advance(61_000);
    expect(reader.text.match(/: still waiting/g)?.length).toBe(2);
    change('pending');
    expect(reader.text.match(/event: state/g)?.length).toBe(1);
    change('approved');
    await over;
    expect([reader.isEnded, listeners.size, reader.text.includes('"approved"')]).toEqual([true, 0, true]);
  });

  it('tells what was decided between the question and the stream', async () => {
    const { reader, over } = stream(record('rejected'));
    await over;
    expect(reader.text).toContain('"rejected"');
  });

  it('says timeout after half an hour', async () => {
    const { clock, reader, over } = stream();
    await clock.advance(1_800_000);
    await over;
    expect([reader.isEnded, reader.text.includes('event: timeout')]).toEqual([true, true]);
  });

  it('lets go of a machine that does not read, and of one that has gone', async () => {
    const slow = stream();
    slow.reader.writableLength = 20_000;
    await slow.clock.advance(31_000);
    await slow.over;
    const gone = stream();
    gone.reader.emit('close');
    await gone.over;
    expect([slow.listeners.size, gone.listeners.size]).toEqual([0, 0]);
  });
});
