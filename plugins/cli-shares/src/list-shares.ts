import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { defineCommand, listOf, objectOf, shownTime } from '@agent-service/sdk/contracts/cli-command'
import { targetOf } from './share-words.js'

const maxListed = 1_000

/** Lists the person's links, the newest first. */
export const listSharesCommand = defineCommand({
  name: 'shares list',
  summary: 'list your links to files and chats',
  async run({ request, print, table }) {
    const items: JsonObject[] = []
    let cursor: JsonValue | undefined
    do {
      const query = new URLSearchParams({ limit: '200', ...(typeof cursor === 'string' && { cursor }) })
      const page = objectOf(await request('GET', `/api/shares?${query}`))
      items.push(...listOf(page['items']))
      cursor = page['next_cursor']
    } while (typeof cursor === 'string' && items.length < maxListed)
    if (items.length === 0) await print('There are no links.')
    else await table([['ID', 'KIND', 'EXPIRES', 'USES', 'TARGET'], ...items.map(rowOf)], { whole: ['ID', 'KIND', 'EXPIRES'] })
    return { status: 0, json: { items } }
  },
})

const rowOf = (share: JsonObject): readonly string[] => [
  ...[String(share['id']), String(share['kind']), share['expired'] === true ? 'expired' : shownTime(share['expires_at'])],
  ...[String(share['uses']), targetOf(share)],
]
