/** From this many winners per person on, cutting people to fewer items names more of them. */
const WINNERS_PER_ITEM = 4;

/** Whether the list is so long that counts above a threshold name more of it than a race does (docs/guide/without-a-list.md). */
export function isLong({ k, maxItemsPerUser }: { k: number; maxItemsPerUser?: number | undefined }): boolean {
  return maxItemsPerUser !== undefined && k > WINNERS_PER_ITEM * maxItemsPerUser;
}
