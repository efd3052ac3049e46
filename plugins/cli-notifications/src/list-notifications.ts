import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { defineCommand, listOf, objectOf, shownTime } from '@agent-service/sdk/contracts/cli-command'

const maxListed = 1_000

/** Lists the person's notifications, the newest first. */
export const listNotificationsCommand = defineCommand({
  name: 'notifications list',
  summary: 'list your notifications',
  options: [{ name: 'unread', description: 'only those that are unread' }],
  async run({ options, request, print, table }) {
    const items: JsonObject[] = []
    let unread: JsonValue = 0
    let cursor: JsonValue | undefined
    do {
      const query = new URLSearchParams({ limit: '200' })
      if (options['unread'] === true) query.set('unread', 'true')
      if (typeof cursor === 'string') query.set('cursor', cursor)
      const page = objectOf(await request('GET', `/api/notifications?${query}`))
      items.push(...listOf(page['items']))
      unread = page['unread'] ?? 0
      cursor = page['next_cursor']
    } while (typeof cursor === 'string' && items.length < maxListed)
    if (items.length === 0) await print(options['unread'] === true ? 'There are no unread notifications.' : 'There are no notifications.')
    else {
      await table([['ID', 'TIME', 'KIND', 'READ', 'TITLE', 'TEXT'], ...items.map(rowOf)], { whole: ['ID'] })
      await print(`${String(unread)} unread.`)
    }
    return { status: 0, json: { items, unread } }
  },
})

const rowOf = ({ id, created_at, kind, read, title, text }: JsonObject): readonly string[] => [
  ...[String(id), shownTime(created_at, 'second'), String(kind), read === true ? 'yes' : 'no', String(title)],
  String(text).replaceAll(/\s+/g, ' '),
]
