/** All items of a paged list; these lists have a few hundred at most. */
export async function readAll<Item>(
  load: (cursor: string | undefined) => Promise<{ readonly items: readonly Item[]; readonly next_cursor: string | null }>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await load(cursor)
    items.push(...page.items)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return items
}

const pageSize = 200

/** The query of a page that is as long as the service lets it be. */
export const pageQuery = (cursor: string | undefined): { readonly limit: number; readonly cursor?: string } => ({
  limit: pageSize,
  ...(cursor !== undefined && { cursor }),
})
