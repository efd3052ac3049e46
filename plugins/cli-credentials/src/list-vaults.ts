import type { JsonObject } from '@agent-service/sdk'
import { defineCommand, listAll, shownTime, textOf } from '@agent-service/sdk/contracts/cli-command'

/** Lists the connections that the person may use. */
export const listVaultsCommand = defineCommand({
  name: 'vaults list',
  summary: 'list the vaults that you may use, with their state',
  async run({ request, print, table, warn }) {
    const { items } = await listAll(request, '/api/vaults')
    if (items.length === 0) await print('No vault is connected.')
    else await table([['ID', 'KIND', 'STATE', 'ITEMS', 'SYNCHRONISED', 'TITLE'], ...items.map(rowOf)], { whole: ['ID', 'KIND', 'STATE'] })
    for (const { title, reason } of items) if (typeof reason === 'string') await warn(`${textOf(title)}: ${reason}`, { style: 'yellow' })
    return { status: 0, json: { items } }
  },
})

const rowOf = ({ id, connector, state, items, synced_at: syncedAt, title, system }: JsonObject): readonly string[] => [
  ...[textOf(id), textOf(connector), textOf(state), String(items), shownTime(syncedAt)],
  system === true ? `${textOf(title)} (of the service)` : textOf(title),
]
