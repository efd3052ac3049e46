import type { JsonObject } from '@agent-service/sdk'
import { defineCommand, listAll, objectOf, shownTime, textOf } from '@agent-service/sdk/contracts/cli-command'
import { connectionArgument, connectionPath } from './words.js'

const usualLines = 50
const maxLines = 1_000

/** Shows what was sent over a connection, the newest first. */
export const listDeliveriesCommand = defineCommand({
  name: 'channels deliveries',
  summary: 'show what was sent over a connection, the newest first, or send one message again with --resend',
  arguments: [connectionArgument],
  options: [
    { name: 'limit', description: `how many lines, ${usualLines} by default, ${maxLines} at most`, value: 'number' },
    { name: 'resend', description: 'send this one again, by its ID: one that failed, or whose outcome is unknown', value: 'id' },
  ],
  async run({ arguments: [id = ''], options, request, print, table, warn }) {
    if (typeof options['resend'] === 'string') {
      const json = await request('POST', connectionPath(id, `/deliveries/${encodeURIComponent(options['resend'])}/resend`))
      await print('It waits to be sent again.')
      return { status: 0, json }
    }
    const limit = options['limit'] === undefined ? usualLines : Number(options['limit'])
    if (!Number.isInteger(limit) || limit < 1 || limit > maxLines) {
      await warn(`--limit must be a whole number from 1 to ${maxLines}, not “${String(options['limit'])}”.`, { style: 'red' })
      return { status: 1 }
    }
    const { items } = await listAll(request, connectionPath(id, '/deliveries'), { max: limit })
    if (items.length === 0) await print('Nothing was sent over this connection.')
    else await table([['ID', 'TIME', 'STATE', 'KIND', 'TEXT'], ...items.map(rowOf)], { whole: ['ID', 'TIME', 'STATE'] })
    for (const { id: delivery, state, failure } of items)
      if (state === 'failed' || state === 'unknown')
        await warn(`${textOf(delivery)}: ${textOf(objectOf(failure)['message'])}`, { style: 'yellow' })
    return { status: 0, json: { items } }
  },
})

const rowOf = ({ id, created_at: at, state, kind, text, file }: JsonObject): readonly string[] => {
  const said = [textOf(objectOf(file)['name']), textOf(text)].filter((each) => each !== '').join(': ')
  return [textOf(id), shownTime(at), textOf(state), textOf(kind), said]
}
