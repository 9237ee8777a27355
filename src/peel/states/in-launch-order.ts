/** Work side by side, at most `atOnce` pieces at a time, begun in order. The answers stand in the order of the items. */
export async function inLaunchOrder<Item, Answer>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = new Array<Answer>(items.length);
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) answers[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return answers;
}
