import type { JsonObject, JsonValue } from '../../core/json.js'
import type { CommandContext } from './command-context.js'

/** The members of a value of the API that is an object; of any other, none. */
export const objectOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

/** The items of a value of the API that is a list; of any other, none. */
export const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : []

/** A text of the API; empty for none. */
export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

/** A time of the API for people: UTC, to the minute or to the second; empty for none. */
export const shownTime = (time: JsonValue | undefined, precision: 'minute' | 'second' = 'minute'): string =>
  typeof time === 'string' ? `${time.slice(0, 10)} ${time.slice(11, precision === 'minute' ? 16 : 19)}` : ''

/** Items of a list of the API, and whether it has more of them. */
export interface ListedItems {
  /** In the order of the list. */
  readonly items: readonly JsonObject[]
  /** Whether the list goes on. */
  readonly hasMore: boolean
}

/** The items of a list of the API, page by page, 2,000 at most unless `max` says otherwise. */
export async function listAll(
  request: CommandContext['request'],
  path: string,
  { query = {}, max = 2_000 }: { readonly query?: Readonly<Record<string, string>>; readonly max?: number } = {},
): Promise<ListedItems> {
  const items: JsonObject[] = []
  let cursor: JsonValue | undefined
  do {
    const asked = new URLSearchParams({ limit: String(Math.min(200, max)), ...query, ...(typeof cursor === 'string' && { cursor }) })
    const page = objectOf(await request('GET', `${path}?${asked}`))
    items.push(...listOf(page['items']))
    cursor = page['next_cursor']
  } while (typeof cursor === 'string' && items.length < max)
  return { items: items.slice(0, max), hasMore: typeof cursor === 'string' || items.length > max }
}
