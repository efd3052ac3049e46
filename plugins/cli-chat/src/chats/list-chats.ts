import type { JsonObject } from '@agent-service/sdk'
import { type CommandContext, defineCommand } from '@agent-service/sdk/contracts/cli-command'
import { readAgents } from '../common/find-agent.js'
import { countOption } from '../common/options.js'
import { readList } from '../common/pages.js'

const maxListed = 10_000

/** Lists the person's chats, the most recently changed first. */
export const listChatsCommand = defineCommand({
  name: 'chats list',
  summary: 'list your chats, the most recently changed first',
  options: [
    { name: 'limit', description: 'how many chats to list; default: 50', value: 'count' },
    { name: 'archived', description: 'list the archived chats instead' },
    { name: 'deleted', description: 'list the deleted chats instead, which can be restored, with the time at which each is gone for good' },
  ],
  async run(context) {
    const max = countOption(context, 'limit', { initial: 50, min: 1, max: maxListed })
    const { items, more } = await readList(context, listedPath(context), max)
    if (!context.json && context.options['deleted'] === true) await showDeleted(context, items)
    else if (!context.json) {
      const agents = new Map((await readAgents(context)).map(({ id, handle }) => [id, String(handle)]))
      const rows = items.map((chat) => [
        ...[String(chat['id']), shownTime(chat['updated_at']), String(chat['message_count']), agents.get(chat['agent_id'] ?? '') ?? ''],
        String(chat['title'] ?? 'New chat'),
      ])
      if (items.length === 0) await context.print('There are no chats.')
      else await context.table([['ID', 'CHANGED', 'MESSAGES', 'AGENT', 'TITLE'], ...rows], { whole: ['ID', 'CHANGED'] })
    }
    if (!context.json && more) await context.warn(`There are more chats. List more with: --limit ${Math.min(maxListed, max * 2)}`)
    return { status: 0, json: { items: [...items], more } }
  },
})

const listedPath = ({ options }: Pick<CommandContext, 'options'>): string =>
  options['deleted'] === true ? '/api/chats/bin' : `/api/chats?archived=${options['archived'] === true}`

async function showDeleted(context: CommandContext, items: readonly JsonObject[]): Promise<void> {
  if (items.length === 0) return context.print('There are no deleted chats.')
  const rows = items.map((chat) => [
    String(chat['id']),
    shownTime(chat['deleted_at']),
    shownTime(chat['erased_at']),
    String(chat['title'] ?? 'New chat'),
  ])
  await context.table([['ID', 'DELETED', 'GONE FOR GOOD', 'TITLE'], ...rows], { whole: ['ID', 'DELETED', 'GONE FOR GOOD'] })
}

/** A time of the API for people: UTC, to the minute. */
const shownTime = (time: unknown): string => (typeof time === 'string' ? `${time.slice(0, 10)} ${time.slice(11, 16)}` : '')
