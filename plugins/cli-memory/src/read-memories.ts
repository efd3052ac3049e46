import type { JsonObject } from '@agent-service/sdk'
import {
  type CliCommand,
  type CommandContext,
  defineCommand,
  listAll,
  objectOf,
  shownTime,
  textOf,
} from '@agent-service/sdk/contracts/cli-command'
import { agentIdOf, columns, rowOf } from './words.js'

/** The most matches of a search. */
const maxFound = 100

const agentOption = { name: 'agent', description: 'what this agent sees, by its handle', value: 'handle' }

/** The parameters of a list for the options; undefined, with a warning, if there is no such agent. */
async function parametersOf({ options, request, warn }: CommandContext): Promise<Readonly<Record<string, string>> | undefined> {
  const { agent, kind } = options
  const agentId = typeof agent === 'string' ? await agentIdOf(request, agent) : undefined
  if (typeof agent === 'string' && agentId === undefined) {
    await warn(`You have no agent “${agent}”.`, { style: 'red' })
    return undefined
  }
  return { ...(agentId !== undefined && { agent_id: agentId }), ...(typeof kind === 'string' && { kind }) }
}

async function show({ print, table }: CommandContext, items: readonly JsonObject[], none: string): Promise<void> {
  if (items.length === 0) await print(none)
  else await table([columns, ...items.map(rowOf)], { whole: ['ID'] })
}

/** Lists what is remembered, the last change first. */
export const listCommand: CliCommand = defineCommand({
  name: 'memory list',
  summary: 'list what your agents remember; * is pinned',
  options: [agentOption, { name: 'kind', description: 'only note, statement, playbook or summary', value: 'kind' }],
  async run(context) {
    const parameters = await parametersOf(context)
    if (!parameters) return { status: 1 }
    const { items, hasMore } = await listAll(context.request, '/api/memory', { query: parameters })
    await show(context, items, 'Nothing is remembered.')
    if (hasMore) await context.warn(`These are the first ${items.length}; “memory export” has all.`, { style: 'yellow' })
    return { status: 0, json: { items, has_more: hasMore } }
  },
})

/** Searches what is remembered, the best match first. */
export const searchCommand: CliCommand = defineCommand({
  name: 'memory search',
  summary: 'search what your agents remember',
  arguments: [{ name: 'query', description: 'words or a question', required: true }],
  options: [agentOption],
  async run(context) {
    const parameters = await parametersOf(context)
    if (!parameters) return { status: 1 }
    const query = new URLSearchParams({ q: context.arguments[0] ?? '', limit: `${maxFound}`, ...parameters })
    const { items } = objectOf(await context.request('GET', `/api/memory?${query}`))
    const found = Array.isArray(items) ? (items as readonly JsonObject[]) : []
    await show(context, found, 'Nothing fits.')
    const hasMore = found.length >= maxFound
    if (hasMore) await context.warn(`These are the best ${maxFound}; there may be more. Use more words.`, { style: 'yellow' })
    return { status: 0, json: { items: found, has_more: hasMore } }
  },
})

/** Tells which memory is in use. */
export const statusCommand: CliCommand = defineCommand({
  name: 'memory status',
  summary: 'show which memory is in use and when its background work ran',
  async run({ request, print, warn }) {
    const status = objectOf(await request('GET', '/api/memory/status'))
    if (status['available'] === true) await print(`${textOf(status['title'])} (${textOf(status['backend'])}) is in use.`)
    else await warn(`The memory “${textOf(status['backend'])}” does not run; agents go on without it.`, { style: 'yellow' })
    if (status['moving'] === true) await print('Memories are being moved to another back end.')
    const sweep = objectOf(status['last_sweep'])
    if (typeof sweep['started_at'] === 'string') {
      const failed = sweep['failed'] === true ? ', and failed; the log has the reason' : ''
      await print(`Its background work last began at ${shownTime(sweep['started_at'])} UTC${failed}.`)
    }
    return { status: status['available'] === true ? 0 : 1, json: status }
  },
})
