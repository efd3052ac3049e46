import type { JsonObject } from '@agent-service/sdk'
import { type CommandContext, defineCommand, listAll, listOf, objectOf, textOf } from '@agent-service/sdk/contracts/cli-command'
import { connectionsPath } from './words.js'

/** The most bytes of members from standard input. */
const maxMembersBytes = 65_536

/** Makes a connection: shows the steps at the vendor, and asks for what they give. */
export const addChannelCommand = defineCommand({
  name: 'channels add',
  summary: 'connect a channel: shows what to do at the vendor, and asks for what the connection needs',
  arguments: [{ name: 'channel', description: 'the channel, such as telegram', required: true }],
  options: [
    { name: 'title', description: 'what the connection is called', value: 'text' },
    {
      name: 'guest-tools',
      description: 'tools that the agent may use for others than you, such as get_time,web_search; none by default',
      value: 'names',
    },
    {
      name: 'members',
      description: 'what the connection needs, as a JSON object; only “-”, which reads standard input, since others see the command line',
      value: 'json',
    },
    { name: 'agent', description: 'the handle of the agent that answers; your first one by default', value: 'handle' },
  ],
  async run({ arguments: [kind = ''], options, request, print, warn, ask, readAll }) {
    const refuse = async (text: string) => {
      await warn(text, { style: 'red' })
      return { status: 1 } as const
    }
    const { members: source } = options
    if (source !== undefined && source !== '-')
      return refuse('--members takes only “-”: write the members to standard input as a JSON object, such as {"token": "…"}.')
    const { items: channels } = await listAll(request, '/api/channels')
    const channel = channels.find(({ id }) => id === kind)
    if (!channel)
      return refuse(`No active plugin has the channel “${kind}”. There are: ${channels.map(({ id }) => textOf(id)).join(', ') || 'none'}.`)
    const agent = options['agent'] === undefined ? undefined : await findAgent(request, String(options['agent']))
    if (options['agent'] !== undefined && !agent) return refuse(`You have no agent “${String(options['agent'])}”.`)
    const piped = source === '-' ? readMembers(await readAll({ maxBytes: maxMembersBytes })) : undefined
    if (piped === null) return refuse('Standard input is not a JSON object of members, such as {"token": "…"}. Nothing was connected.')
    for (const [index, { title, text, url }] of listOf(channel['set_up']).entries()) {
      await print(`${index + 1}. ${textOf(title)}`, { style: 'bold' })
      for (const line of textOf(text).split('\n')) await print(`   ${line}`)
      if (typeof url === 'string') await print(`   ${url}`)
    }
    const members = piped ?? (await askMembers(objectOf(channel['connection']), ask))
    const { title, 'guest-tools': guestTools } = options
    const made = objectOf(
      await request('POST', connectionsPath, {
        ...{ channel: kind, title: typeof title === 'string' ? title : textOf(channel['title']), members },
        ...(typeof guestTools === 'string' && {
          guest_tools: guestTools
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name !== ''),
        }),
        ...(agent !== undefined && { agent_id: textOf(agent['id']) }),
      }),
    )
    await print(
      `${textOf(made['title'])} is ${textOf(made['id'])}. To see whether it works: agent-service channels test ${textOf(made['id'])}`,
    )
    if (typeof made['webhook_url'] === 'string') await print(`The vendor reaches it at ${made['webhook_url']}`)
    await print('Write to it, then let yourself in: agent-service channels pair')
    return { status: 0, json: made }
  },
})

const findAgent = async (request: CommandContext['request'], handle: string): Promise<JsonObject | undefined> =>
  (await listAll(request, '/api/agents')).items.find((each) => each['handle'] === handle)

/** `null` if it is not a JSON object. The text may have secrets and is never shown. */
function readMembers(text: string): JsonObject | null {
  try {
    const members: unknown = JSON.parse(text)
    return typeof members === 'object' && members !== null && !Array.isArray(members) ? (members as JsonObject) : null
  } catch {
    return null
  }
}

/** Asks for every member of the form. What is left empty is left out. */
async function askMembers(form: JsonObject, ask: CommandContext['ask']): Promise<JsonObject> {
  const required = new Set(Array.isArray(form['required']) ? form['required'] : [])
  const members: Record<string, JsonObject[string]> = {}
  for (const [name, value] of Object.entries(objectOf(form['properties']))) {
    const schema = objectOf(value)
    const title = typeof schema['title'] === 'string' ? schema['title'] : name
    const given = await ask(`${title}${required.has(name) ? '' : ' (may be empty)'}: `, { secret: schema['x-secret'] === true })
    if (given !== '') members[name] = typed(given, schema['type'])
  }
  return members
}

function typed(text: string, type: unknown): string | number | boolean {
  if ((type === 'integer' || type === 'number') && Number.isFinite(Number(text))) return Number(text)
  if (type === 'boolean' && /^(true|false|yes|no)$/i.test(text)) return /^(true|yes)$/i.test(text)
  return text
}
