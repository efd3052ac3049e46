import type { JsonObject } from '@agent-service/sdk'
import type { ApiClient } from './api-client.js'

/** The items of all pages of a list. */
export async function readItems(client: ApiClient, path: string): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = []
  let cursor: unknown = null
  do {
    const query = typeof cursor === 'string' ? `&cursor=${encodeURIComponent(cursor)}` : ''
    const page = (await client.request('GET', `${path}?limit=200${query}`)) as JsonObject
    items.push(...((page['items'] ?? []) as readonly JsonObject[]))
    cursor = page['next_cursor']
  } while (typeof cursor === 'string')
  return items
}
