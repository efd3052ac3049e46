import type { JsonObject } from '@agent-service/sdk'
import { type CommandContext, defineCommand } from '@agent-service/sdk/contracts/cli-command'
import { confirmDeletion, yesOption } from '../common/confirm.js'
import { textOption } from '../common/options.js'
import { agentArgument, namedAgent } from './show-agents.js'

/** The most bytes of instructions from standard input. */
const maxInstructionBytes = 262_144

/** Creates an agent. */
export const createAgentCommand = defineCommand({
  name: 'agents create',
  summary: 'create an agent',
  arguments: [{ name: 'handle', description: 'its handle: a word of lower-case letters, digits and “-”', required: true }],
  options: [
    { name: 'name', description: 'its name; default: the handle', value: 'text' },
    { name: 'description', description: 'what it is for', value: 'text' },
    { name: 'instructions', description: 'what it is to do; “-” reads standard input', value: 'text' },
    { name: 'models', description: 'its model group; default: primary', value: 'group' },
    { name: 'tools', description: 'its tools, separated by commas', value: 'names' },
  ],
  async run(context) {
    const [handle = ''] = context.arguments
    const agent = (await context.request('POST', '/api/agents', {
      ...{ handle, name: textOption(context, 'name') ?? handle },
      ...given('description', textOption(context, 'description')),
      ...given('instructions', await instructionsOf(context)),
      ...given('model_group', textOption(context, 'models')),
      ...given(
        'tools',
        textOption(context, 'tools')
          ?.split(',')
          .map((tool) => tool.trim())
          .filter((tool) => tool !== ''),
      ),
    })) as JsonObject
    await context.print(
      `Created the agent ${String(agent['handle'])}. Talk to it with: agent-service chat --agent ${String(agent['handle'])}`,
    )
    return { status: 0, json: agent }
  },
})

/** Deletes an agent. Its chats stay. */
export const deleteAgentCommand = defineCommand({
  name: 'agents delete',
  summary: 'delete an agent',
  arguments: [agentArgument],
  options: [yesOption],
  async run(context) {
    const { id, handle } = await namedAgent(context)
    const what = `the agent ${String(handle)}`
    await confirmDeletion(context, what)
    await context.request('DELETE', `/api/agents/${String(id)}`)
    await context.print(`Deleted ${what}.`)
    return { status: 0, json: { id: String(id), handle: String(handle), deleted: true } }
  },
})

async function instructionsOf(context: CommandContext): Promise<string | undefined> {
  const text = textOption(context, 'instructions')
  return text === '-' ? (await context.readAll({ maxBytes: maxInstructionBytes })).trimEnd() : text
}

const given = <Value extends string | readonly string[]>(name: string, value: Value | undefined) =>
  value === undefined ? {} : { [name]: value }
