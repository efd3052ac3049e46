import type { JsonObject } from '@agent-service/sdk'
import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'
import { findAgent, readAgents } from '../common/find-agent.js'

/** A chat with the name of its agent. */
export interface OpenChat {
  readonly id: string
  readonly agent: string
  readonly title: string | undefined
}

/**
 * Opens the earlier chat, or a new one with the agent, by default the first. @throws
 * `agent_unknown`.
 */
export async function openChat(
  context: CommandContext,
  options: { readonly agent: string | undefined; readonly chat: string | undefined; readonly temporary: boolean },
): Promise<OpenChat> {
  const { request } = context
  const agents = await readAgents(context)
  const agent = options.chat === undefined && options.agent !== undefined ? findAgent(agents, options.agent) : undefined
  const chat = (await (options.chat === undefined
    ? request('POST', '/api/chats', { ...(agent && { agent_id: String(agent['id']) }), ...(options.temporary && { temporary: true }) })
    : request('GET', `/api/chats/${encodeURIComponent(options.chat)}`))) as JsonObject
  const its = agents.find(({ id }) => id === chat['agent_id'])
  return {
    id: String(chat['id']),
    agent: String(its?.['name'] ?? 'the agent'),
    title: typeof chat['title'] === 'string' ? chat['title'] : undefined,
  }
}
