import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { type CommandContext, defineCommand } from '@agent-service/sdk/contracts/cli-command'

const maxListed = 1_000

/** Lists the person's processes, the newest first. */
export const listProcessesCommand = defineCommand({
  name: 'sandbox processes',
  summary: 'list the processes that your agents run, and those that ended within the last hour',
  options: [
    { name: 'running', description: 'list only those that run' },
    { name: 'all', description: 'list those of all users that run, with what they use; for administrators' },
  ],
  async run(context) {
    const all = context.options['all'] === true
    const path = all
      ? '/api/admin/sandbox/processes'
      : `/api/sandbox/processes${context.options['running'] === true ? '?state=running' : ''}`
    const items = await readAll(context, path)
    if (items.length === 0) await context.print('There are no processes.')
    else if (all) await context.table([['ID', 'USER', 'AGENT', 'KIND', 'STARTED', 'CPU', 'MEMORY'], ...items.map(usageRow)], whole)
    else await context.table([['ID', 'AGENT', 'KIND', 'STARTED', 'STATE', 'TITLE'], ...items.map(stateRow)], whole)
    return { status: 0, json: { items: [...items] } }
  },
})

const whole = { whole: ['ID', 'STARTED'] }

async function readAll({ request }: Pick<CommandContext, 'request'>, path: string): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = []
  let cursor: JsonValue | undefined
  do {
    const query = new URLSearchParams({ limit: '200', ...(typeof cursor === 'string' ? { cursor } : {}) })
    const page = (await request('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`)) as JsonObject
    items.push(...((page['items'] ?? []) as readonly JsonObject[]))
    cursor = page['next_cursor']
  } while (typeof cursor === 'string' && items.length < maxListed)
  return items
}

const nameOf = (process: JsonObject): string => {
  const { handle, id } = process['actor'] as JsonObject
  return String(handle ?? id)
}

/** A time of the API for people: UTC, to the second. */
const shownTime = (time: JsonValue | undefined): string => (typeof time === 'string' ? `${time.slice(0, 10)} ${time.slice(11, 19)}` : '')

const stateRow = (process: JsonObject): readonly string[] => [
  ...[String(process['id']), nameOf(process), String(process['kind']), shownTime(process['started_at']), stateOf(process)],
  String(process['title']),
]

function stateOf({ exit, ended_at }: JsonObject): string {
  if (ended_at === null) return 'running'
  const { reason, code, signal } = exit as JsonObject
  return `${String(reason)} ${String(code ?? signal ?? '')}`.trim()
}

function usageRow(process: JsonObject): readonly string[] {
  const usage = process['usage'] as JsonObject | null
  return [
    ...[String(process['id']), String(process['username'] ?? process['user_id']), nameOf(process), String(process['kind'])],
    shownTime(process['started_at']),
    usage === null ? '' : `${(Number(usage['cpu_ms']) / 1_000).toFixed(1)} s`,
    usage === null ? '' : `${Math.round(Number(usage['memory_bytes']) / 1_048_576)} MiB`,
  ]
}
