import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { type CommandContext, defineCommand } from '@agent-service/sdk/contracts/cli-command'
import { findAgent, readAgents } from '../common/find-agent.js'

const joined = (value: JsonValue | undefined): string => (Array.isArray(value) ? value.map(String).join(', ') : String(value ?? ''))

/** Lists the person's agents, oldest first. */
export const listAgentsCommand = defineCommand({
  name: 'agents list',
  summary: 'list your agents',
  async run(context) {
    const agents = await readAgents(context)
    const rows = agents.map((agent) => [
      ...[String(agent['handle']), String(agent['name']), String(agent['model_group']), agent['enabled'] === true ? 'yes' : 'no'],
      joined(agent['tools']),
    ])
    await context.table([['HANDLE', 'NAME', 'MODELS', 'ENABLED', 'TOOLS'], ...rows], { whole: ['HANDLE'] })
    return { status: 0, json: { items: [...agents] } }
  },
})

/** The argument of every command about one agent. */
export const agentArgument = { name: 'handle', description: 'the handle or the id of the agent', required: true } as const

/** The agent that the first argument names. @throws `agent_unknown`. */
export const namedAgent = async (context: CommandContext): Promise<JsonObject> =>
  findAgent(await readAgents(context), context.arguments[0] ?? '')

/** Shows one agent with its instructions. */
export const showAgentCommand = defineCommand({
  name: 'agents show',
  summary: 'show an agent with its instructions',
  arguments: [agentArgument],
  async run(context) {
    const agent = await namedAgent(context)
    await context.print(`${String(agent['name'])} (${String(agent['handle'])})`, { style: 'bold' })
    const facts = {
      Id: agent['id'],
      Description: agent['description'],
      Models: agent['model_group'],
      Tools: agent['tools'],
      Skills: agent['skills'],
      Enabled: agent['enabled'] === true ? 'yes' : 'no',
      Version: agent['version'],
    }
    for (const [name, value] of Object.entries(facts)) await context.print(`${name.padEnd(11)}  ${joined(value)}`.trimEnd())
    for (const warning of Array.isArray(agent['warnings']) ? (agent['warnings'] as readonly JsonObject[]) : [])
      await context.warn(`${String(warning['path'])}: ${String(warning['message'])}`, { style: 'yellow' })
    if (agent['instructions'] !== '') await context.write(`\n${String(agent['instructions']).trimEnd()}\n`)
    return { status: 0, json: agent }
  },
})
