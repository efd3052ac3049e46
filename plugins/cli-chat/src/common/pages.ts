import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'

/** The items of one page of a list. */
export const itemsOf = (page: JsonValue): readonly JsonObject[] => ((page as JsonObject)['items'] ?? []) as readonly JsonObject[]

/** The items of a list, at most `max`, and whether there are more. */
export interface Listed {
  readonly items: readonly JsonObject[]
  readonly more: boolean
}

const maxPage = 200

/** Reads the pages of a list until it ends or has `max` items. `path` may have a query. */
export async function readList({ request }: Pick<CommandContext, 'request'>, path: string, max: number): Promise<Listed> {
  const items: JsonObject[] = []
  let cursor: string | undefined
  do {
    const query = new URLSearchParams({ limit: String(Math.min(maxPage, max - items.length)), ...(cursor === undefined ? {} : { cursor }) })
    const page = (await request('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`)) as JsonObject
    items.push(...itemsOf(page))
    const next = page['next_cursor']
    cursor = typeof next === 'string' ? next : undefined
  } while (cursor !== undefined && items.length < max)
  return { items, more: cursor !== undefined }
}
