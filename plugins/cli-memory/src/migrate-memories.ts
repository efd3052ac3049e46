import { type JsonObject, ServiceError } from '@agent-service/sdk'
import { sleep } from '@agent-service/sdk/async'
import { type CliCommand, type CommandContext, defineCommand, objectOf, textOf } from '@agent-service/sdk/contracts/cli-command'

const path = '/api/admin/memory/migration'
/** Replaced by tests. */
export const waits = { pollMs: 1_000, maxRestartMs: 300_000 }

/** Moves everyone's memories to another back end while people go on, and takes it into use. */
export const migrateCommand: CliCommand = defineCommand({
  name: 'memory migrate',
  summary: 'move everyone’s memories to another back end, for administrators; call it again after an interruption',
  options: [
    { name: 'to', description: 'the other back end, such as pkm', value: 'id' },
    { name: 'copy-only', description: 'copy and compare, and leave it to you to take it into use' },
    { name: 'give-up', description: 'give up a migration that was begun, and remove what was copied' },
  ],
  async run(context) {
    const { options, request, print, warn } = context
    const { to } = options
    if (options['give-up'] === true) {
      await request('DELETE', path)
      await print('The migration is given up.')
      return { status: 0, json: { migration: null } }
    }
    if (typeof to !== 'string') {
      await warn('Name the other back end: --to pkm.', { style: 'red' })
      return { status: 1 }
    }
    const present = await stateOf(request)
    if (!isUnderWay(present, to)) await request('POST', path, { to })
    const copied = await follow(context, ['copying'])
    if (textOf(copied['state']) === 'failed') return failed(context, copied)
    if (options['copy-only'] === true) {
      await print(`Everything is copied. Set memory.backend to “${to}” and restart the service.`)
      return { status: 0, json: { migration: copied } }
    }
    if (textOf(copied['state']) === 'ready') {
      await activate(context, to)
      await print('The service restarts with the other back end.')
    }
    const done = await follow(context, ['ready', 'finishing', 'cleaning'])
    if (textOf(done['state']) === 'ready') {
      await warn(`“${to}” is not in use after ${waits.maxRestartMs / 1_000} seconds. ${notInEffect}`, { style: 'red' })
      return { status: 1, json: { migration: done } }
    }
    if (textOf(done['state']) !== 'done') return failed(context, done)
    if (isIncomplete(done)) await warn(textOf(done['error']), { style: 'yellow' })
    await print(`“${to}” is in use. Users moved: ${String(done['users'])}.`)
    return { status: 0, json: { migration: done } }
  },
})

const notInEffect =
  'Nothing is lost: what was copied waits. See whether the service restarts, and whether an environment variable or an argument sets memory.backend to another one; then call this again.'

/** Some users are not copied, and waiting does not change that. */
const isIncomplete = ({ failed: count, error }: JsonObject): boolean => typeof count === 'number' && count > 0 && textOf(error) !== ''

const stateOf = async (request: CommandContext['request']): Promise<JsonObject> =>
  objectOf(objectOf(await request('GET', path))['migration'])

const isUnderWay = ({ to, state }: JsonObject, wanted: string): boolean =>
  to === wanted && ['copying', 'ready', 'finishing', 'cleaning'].includes(textOf(state))

async function failed({ warn }: CommandContext, migration: JsonObject) {
  await warn(textOf(migration['error']) || `The migration ended as “${textOf(migration['state'])}”.`, { style: 'red' })
  return { status: 1, json: { migration } } as const
}

/**
 * Reports progress while the migration is in one of these states. A service that restarts is waited
 * for, as is one that is to take the other back end into use; each for some minutes at most.
 */
async function follow({ request, print, record, signal }: CommandContext, states: readonly string[]): Promise<JsonObject> {
  let shown = ''
  let unreachable = 0
  let ready = 0
  for (;;) {
    try {
      const migration = await stateOf(request)
      unreachable = 0
      const { state, users, records, error } = migration
      const line = `${textOf(state)}: ${String(users)} users, ${String(records)} records${textOf(error) === '' ? '' : `; ${textOf(error)}`}`
      if (line !== shown) {
        await print(line)
        await record({ migration })
      }
      shown = line
      if (!states.includes(textOf(state)) || (state === 'finishing' && isIncomplete(migration))) return migration
      ready = state === 'ready' ? ready + waits.pollMs : 0
      if (ready > waits.maxRestartMs) return migration
    } catch (error) {
      signal.throwIfAborted()
      unreachable += waits.pollMs
      if (!isRestarting(error) || unreachable > waits.maxRestartMs) throw error
    }
    await sleep(waits.pollMs, { signal })
  }
}

const isRestarting = (error: unknown): boolean =>
  ServiceError.isInstance(error) && (error.code === 'service_unreachable' || error.status === 503)

/** Saves the setting and has the service restart. */
async function activate({ transfer, request }: CommandContext, to: string): Promise<void> {
  const { headers } = await drained(transfer('GET', '/api/admin/config'))
  await drained(
    transfer('PATCH', '/api/admin/config', {
      headers: { 'content-type': 'application/json', 'if-match': headers['etag'] ?? '' },
      body: new TextEncoder().encode(JSON.stringify({ set: { 'memory.backend': to } })),
    }),
  )
  await request('POST', '/api/admin/restart')
}

async function drained(answer: ReturnType<CommandContext['transfer']>): ReturnType<CommandContext['transfer']> {
  const given = await answer
  for await (const _ of given.body) void _
  return given
}
