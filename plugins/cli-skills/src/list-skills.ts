import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { defineCommand, listOf, objectOf } from '@agent-service/sdk/contracts/cli-command'
import { problemsOf } from './skill-words.js'

const maxListed = 1_000

/** Lists the skills of all sources. */
export const listSkillsCommand = defineCommand({
  name: 'skills list',
  summary: 'list the skills that your agents can have, with their sources',
  options: [{ name: 'agent', description: 'with the skills of this agent of yours, by its id', value: 'id' }],
  async run({ options, request, print, table, warn }) {
    const items: JsonObject[] = []
    let cursor: JsonValue | undefined
    do {
      const query = new URLSearchParams({ limit: '200' })
      if (typeof options['agent'] === 'string') query.set('agent_id', options['agent'])
      if (typeof cursor === 'string') query.set('cursor', cursor)
      const page = objectOf(await request('GET', `/api/skills?${query}`))
      items.push(...listOf(page['items']))
      cursor = page['next_cursor']
    } while (typeof cursor === 'string' && items.length < maxListed)
    if (items.length === 0) await print('There are no skills.')
    else await table([['NAME', 'SOURCE', 'STATE', 'DESCRIPTION'], ...items.map(rowOf)], { whole: ['NAME', 'SOURCE'] })
    for (const skill of items) for (const line of problemsOf(skill)) await warn(`${String(skill['name'])}/${line}`, { style: 'yellow' })
    return { status: 0, json: { items } }
  },
})

const rowOf = ({ name, source, problem, shadowed_by, description }: JsonObject): readonly string[] => [
  ...[String(name), String(source)],
  problem ? 'broken' : typeof shadowed_by === 'string' ? `replaced by ${shadowed_by}` : 'ready',
  String(description),
]
