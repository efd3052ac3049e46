import type { JsonObject } from '@agent-service/sdk'
import { defineCommand, listAll, shownTime, textOf } from '@agent-service/sdk/contracts/cli-command'

/** Lists the person's prompts and those that everyone has. */
export const listPromptsCommand = defineCommand({
  name: 'prompts list',
  summary: 'list your saved prompts and those that everyone has',
  async run({ request, print, table }) {
    const { items } = await listAll(request, '/api/prompts')
    if (items.length === 0) await print('There are no prompts.')
    else await table([['COMMAND', 'WHOSE', 'LAST USED', 'TITLE'], ...items.map(rowOf)], { whole: ['COMMAND', 'LAST USED'] })
    return { status: 0, json: { items: [...items] } }
  },
})

const rowOf = (prompt: JsonObject): readonly string[] => [
  `/${textOf(prompt['command'])}`,
  whoseOf(prompt),
  shownTime(prompt['used_at']) || 'never',
  textOf(prompt['title']),
]

const whoseOf = ({ own, owner, shared, shadowed }: JsonObject): string => {
  if (own === true) return shared === 'everyone' ? 'yours, for everyone' : 'yours'
  const by = typeof owner === 'string' ? `shared by ${owner}` : 'shared'
  return shadowed === true ? `${by}, yours is used` : by
}
