import type { JsonObject } from '@agent-service/sdk'
import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'
import { agentUnknownError } from './errors.js'
import { readList } from './pages.js'

const maxAgents = 1_000

/** The person's agents, oldest first. */
export const readAgents = async (context: Pick<CommandContext, 'request'>): Promise<readonly JsonObject[]> =>
  (await readList(context, '/api/agents', maxAgents)).items

/** The agent with this handle or id. @throws `agent_unknown`. */
export function findAgent(agents: readonly JsonObject[], handle: string): JsonObject {
  const found = agents.find((agent) => agent['handle'] === handle) ?? agents.find((agent) => agent['id'] === handle)
  if (!found) throw agentUnknownError.create({ handle, known: agents.map((agent) => String(agent['handle'])) })
  return found
}
