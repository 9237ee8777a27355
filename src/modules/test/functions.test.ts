import { describe, expect, it } from 'vitest';
import { memoryContext } from '../../../test/harness/states/memory-context.ts';

describe('test.*', () => {
  it.each([
    ['test.ping', '', 'true'],
    ['test.echo', 'hello\nthere', 'hello\nthere'],
    ['test.echo', '', ''],
    ['test.version', '', '1.2.3'],
    ['test.true', '', 'true'],
  ])('%s %j answers %j', async (name, id, text) => {
    const response = await memoryContext().run(name, id);
    expect(response.success).toBe(true);
    expect(response.results[0]?.details).toEqual({ result: text });
  });

  it('test.false fails and says so', async () => {
    expect((await memoryContext().run('test.false')).success).toBe(false);
  });

  it('test.sleep refuses to sleep for too long, also in a dry run', async () => {
    for (const args of [{}, { test: true }]) {
      const response = await memoryContext().run('test.sleep', '2h', args);
      expect(response.results[0]?.error).toContain('duration is 2h, the most is 1h');
    }
  });
});
