import type { JsonObject } from '@agent-service/sdk'
import { defineCommand } from '@agent-service/sdk/contracts/cli-command'
import { optionInvalidError } from '../common/errors.js'
import { readAgents } from '../common/find-agent.js'
import { textOption } from '../common/options.js'
import { readList } from '../common/pages.js'

const maxRows = 10_000
const groupings = ['day', 'model', 'agent'] as const
const counted = ['calls', 'input_tokens', 'cached_input_tokens', 'output_tokens', 'cost_usd', 'unpriced_calls'] as const

/** Tokens and cost of the person's model calls, by day, model or agent. */
export const usageCommand = defineCommand({
  name: 'usage',
  summary: 'show tokens and cost of your model calls',
  options: [
    { name: 'by', description: 'day, model or agent; default: day', value: 'what' },
    { name: 'from', description: 'the first day, such as 2026-01-31; default: 29 days before the last', value: 'date' },
    { name: 'to', description: 'the last day; default: today. Days are in UTC', value: 'date' },
  ],
  async run(context) {
    const by = textOption(context, 'by') ?? 'day'
    if (!groupings.some((name) => name === by))
      throw optionInvalidError.create({ option: 'by', expected: 'day, model or agent', found: by })
    const query = new URLSearchParams({ group_by: by })
    for (const name of ['from', 'to']) {
      const date = textOption(context, name)
      if (date !== undefined) query.set(name, date)
    }
    const { items } = await readList(context, `/api/usage?${query}`, maxRows)
    const total = totalOf(items)
    if (!context.json) {
      const agents = by === 'agent' ? new Map((await readAgents(context)).map(({ id, handle }) => [id, String(handle)])) : new Map()
      const nameOf = (item: JsonObject): string => {
        if (by === 'agent') return agents.get(item['agent_id']) ?? String(item['agent_id'] ?? 'none')
        return by === 'model' ? `${String(item['provider'])}/${String(item['model'])}` : String(item['day'])
      }
      await context.table([
        [by.toUpperCase(), 'CALLS', 'INPUT', 'CACHED', 'OUTPUT', 'COST (USD)'],
        ...items.map((item) => [nameOf(item), ...cellsOf(item)]),
        ['TOTAL', ...cellsOf(total)],
      ])
      if (Number(total['unpriced_calls']) > 0)
        await context.warn(`${String(total['unpriced_calls'])} of the calls have no known price and are not in the cost.`, {
          style: 'yellow',
        })
    }
    return { status: 0, json: { group_by: by, items: [...items], total } }
  },
})

const totalOf = (items: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(counted.map((name) => [name, items.reduce((sum, item) => sum + Number(item[name] ?? 0), 0)]))

const cellsOf = (item: JsonObject): readonly string[] => [
  ...(['calls', 'input_tokens', 'cached_input_tokens', 'output_tokens'] as const).map((name) => String(item[name] ?? 0)),
  Number(item['cost_usd'] ?? 0).toFixed(4),
]
