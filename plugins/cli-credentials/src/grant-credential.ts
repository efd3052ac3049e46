import type { JsonObject } from '@agent-service/sdk'
import { type CommandContext, defineCommand, listAll, listOf, objectOf, textOf } from '@agent-service/sdk/contracts/cli-command'
import { termOf } from './words.js'

const hourSeconds = 3_600
const daySeconds = 86_400

/** Lets an agent use a credential, or an item of a vault. */
export const grantCredentialCommand = defineCommand({
  name: 'credentials grant',
  summary: 'let an agent use a credential of yours, or an item of a vault with --vault',
  arguments: [
    { name: 'agent', description: 'the handle of the agent, such as assistant', required: true },
    { name: 'credential', description: 'the name of the credential, or with --vault the ID of the item', required: true },
  ],
  options: [
    { name: 'vault', description: 'an item of this connection, by the ID that “vaults list” shows', value: 'id' },
    { name: 'as', description: 'what the agent calls it by', value: 'name' },
    { name: 'once', description: 'for one use' },
    { name: 'hours', description: 'for so many hours', value: 'number' },
    { name: 'days', description: 'for so many days', value: 'number' },
  ],
  async run({ arguments: [handle = '', credential = ''], options, request, print, warn }) {
    const refuse = async (text: string) => {
      await warn(text, { style: 'red' })
      return { status: 1 } as const
    }
    const term = termIn(options)
    if (typeof term === 'string') return refuse(term)
    const agent = (await listAll(request, '/api/agents')).items.find((each) => each['handle'] === handle)
    if (!agent) return refuse(`You have no agent “${handle}”.`)
    const source = await sourceOf(credential, options, request)
    if (!source) return refuse(`You keep no credential “${credential}”. “credentials list” shows those that you have.`)
    const { as } = options
    const grant = objectOf(
      await request('POST', '/api/credentials/grants', {
        ...{ agent_id: textOf(agent['id']), source, ...term },
        ...(typeof as === 'string' && { name: as }),
      }),
    )
    await print(`${handle} may use “${textOf(grant['title'])}” as “${textOf(grant['name'])}”: ${termOf(grant)}.`)
    for (const { name, variable, as: kind } of listOf(grant['fields']))
      if (typeof variable === 'string') await print(`${textOf(name)}: ${variable}${kind === 'file' ? ' (the path of a file)' : ''}`)
    await print(`To end it: agent-service credentials revoke ${textOf(grant['id'])}`)
    return { status: 0, json: grant }
  },
})

/** For how long, as the API takes it; or what is wrong. */
function termIn({ once, hours, days }: CommandContext['options']): JsonObject | string {
  if (hours !== undefined && days !== undefined) return 'Name --hours or --days, not both.'
  for (const [name, value] of Object.entries({ hours, days }))
    if (value !== undefined && !/^[1-9]\d{0,3}$/.test(String(value))) return `--${name} must be a whole number, not “${String(value)}”.`
  const seconds = hours !== undefined ? Number(hours) * hourSeconds : days !== undefined ? Number(days) * daySeconds : undefined
  return { ...(once === true && { once: true }), ...(seconds !== undefined && { expires_in_secs: seconds }) }
}

async function sourceOf(
  credential: string,
  { vault }: CommandContext['options'],
  request: CommandContext['request'],
): Promise<JsonObject | undefined> {
  if (typeof vault === 'string') return { kind: 'vault', vault_id: vault, item_id: credential }
  const found = (await listAll(request, '/api/credentials')).items.find(({ name, id }) => name === credential || id === credential)
  return found && { kind: 'local', credential_id: textOf(found['id']) }
}
