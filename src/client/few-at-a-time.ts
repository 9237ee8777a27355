/** The same question about many things, a few at a time: a list of hundreds must not ask hundreds of questions at once. */

const AT_A_TIME = 8;

/** Answers in the order of the items. The first failure ends it: what was not asked yet is not asked. */
export async function fewAtATime<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const index = next++;
      answers[index] = await ask(items[index] as Item).catch((error: unknown) => {
        next = items.length;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return answers;
}
