import type { JsonObject } from '@agent-service/sdk'
import { defineCommand, listAll, textOf } from '@agent-service/sdk/contracts/cli-command'

/** Lists the items of a vault, without values. */
export const listItemsCommand = defineCommand({
  name: 'vaults items',
  summary: 'list the items of a vault, without values',
  arguments: [
    { name: 'vault', description: 'the connection, by the ID that “vaults list” shows', required: true },
    { name: 'text', description: 'only items whose title, group or ID has this text', required: false },
  ],
  async run({ arguments: [id = '', text], request, print, table }) {
    const query = text === undefined ? {} : { q: text }
    const { items } = await listAll(request, `/api/vaults/${encodeURIComponent(id)}/items`, { query })
    if (items.length === 0) await print('There are no such items.')
    else await table([['ITEM', 'GROUP', 'FIELDS', 'TITLE'], ...items.map(rowOf)], { whole: ['ITEM'] })
    return { status: 0, json: { items } }
  },
})

const rowOf = ({ id, group, fields, title }: JsonObject): readonly string[] => {
  const names = Array.isArray(fields) ? fields.map(String).join(', ') : ''
  return [textOf(id), textOf(group), names, textOf(title)]
}
