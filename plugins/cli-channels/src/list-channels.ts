import type { JsonObject } from '@agent-service/sdk'
import { defineCommand, listAll, objectOf, shownTime, textOf } from '@agent-service/sdk/contracts/cli-command'
import { connectionsPath } from './words.js'

/** Lists the connections of the person. */
export const listChannelsCommand = defineCommand({
  name: 'channels list',
  summary: 'list your connections to channels, with their state',
  async run({ request, print, table, warn }) {
    const { items } = await listAll(request, connectionsPath)
    if (items.length === 0) {
      const kinds = (await listAll(request, '/api/channels')).items.map(({ id }) => textOf(id))
      await print(
        `You have no connections. ${kinds.length === 0 ? 'No active plugin has a channel.' : `You can add: ${kinds.join(', ')}.`}`,
      )
    } else {
      const rows = [['ID', 'CHANNEL', 'STATE', 'ACCOUNT', 'ACCESS', 'NEXT TRY', 'TITLE'], ...items.map(rowOf)]
      await table(rows, { whole: ['ID', 'CHANNEL', 'STATE'] })
    }
    for (const { title, state, failure } of items)
      if (state === 'failed' || state === 'retrying')
        await warn(`${textOf(title)}: ${textOf(objectOf(failure)['message'])}`, { style: 'yellow' })
    return { status: 0, json: { items } }
  },
})

const rowOf = ({ id, channel, state, account, access, next_attempt_at: next, title }: JsonObject): readonly string[] => [
  ...[textOf(id), textOf(channel), textOf(state), textOf(objectOf(account)['name'])],
  ...[textOf(access).replaceAll('_', ' '), shownTime(next), textOf(title)],
]
