import type { JsonObject } from '@agent-service/sdk'
import { defineCommand, listAll, shownTime, textOf } from '@agent-service/sdk/contracts/cli-command'

const usualLines = 50
const maxLines = 1_000

/** Shows the access log, the newest first. */
export const showLogCommand = defineCommand({
  name: 'credentials log',
  summary: 'show what was done with your credentials, the newest first',
  options: [{ name: 'limit', description: `how many lines, ${usualLines} by default, ${maxLines} at most`, value: 'number' }],
  async run({ options, request, print, table, warn }) {
    const limit = options['limit'] === undefined ? usualLines : Number(options['limit'])
    if (!Number.isInteger(limit) || limit < 1 || limit > maxLines) {
      await warn(`--limit must be a whole number from 1 to ${maxLines}, not “${String(options['limit'])}”.`, { style: 'red' })
      return { status: 1 }
    }
    const { items } = await listAll(request, '/api/credentials/log', { max: limit })
    if (items.length === 0) await print('Nothing was done with your credentials.')
    else await table([['TIME', 'WHAT', 'OUTCOME', 'NAME', 'FOR'], ...items.map(rowOf)], { whole: ['TIME', 'WHAT', 'OUTCOME'] })
    return { status: 0, json: { items } }
  },
})

const rowOf = ({ at, kind, outcome, code, name, title, use, target }: JsonObject): readonly string[] => [
  ...[shownTime(at), textOf(kind).replaceAll('_', ' '), textOf(code) === '' ? textOf(outcome) : `${textOf(outcome)}: ${textOf(code)}`],
  ...[textOf(name) === '' ? textOf(title) : textOf(name), textOf(use) === '' ? '' : `${textOf(use)}: ${textOf(target)}`],
]
