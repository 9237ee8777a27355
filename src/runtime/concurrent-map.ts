/**
 * Maps items by asynchronous work, a few at a time: a list of hundreds must not ask hundreds of questions at once.
 *
 * Items are begun in their order, and the answers stand in it. The first failure is thrown, and nothing more is begun; what
 * is under way by then goes on unheard. Bound: `atOnce`.
 */
export async function concurrentMap<Item, Answer>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const list = [...items];
  const answers: Answer[] = new Array<Answer>(list.length);
  const left = list.entries();
  let hasFailed = false;
  const lane = async () => {
    for (let next = left.next(); !next.done && !hasFailed; next = left.next()) {
      const [index, item] = next.value;
      try {
        answers[index] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, lane));
  return answers;
}
