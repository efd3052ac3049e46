import { defineError, type JsonObject } from '@agent-service/sdk'
import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'

/** `--agent` names none of the person's agents. */
export const agentUnknownError = defineError<{ readonly handle: string; readonly known: readonly string[] }>({
  code: 'agent_unknown',
  status: 404,
  title: 'Unknown agent',
  message: ({ handle, known }) => `You have no agent “${handle}”. Your agents: ${known.join(', ')}.`,
})

/** A chat with the name of its agent. */
export interface OpenChat {
  readonly id: string
  readonly agent: string
}

/**
 * Opens the earlier chat, or a new one with the agent, by default the first. @throws
 * `agent_unknown`.
 */
export async function openChat(
  { request }: CommandContext,
  options: { readonly agent: string | undefined; readonly chat: string | undefined },
): Promise<OpenChat> {
  const agents = ((await request('GET', '/api/agents?limit=200')) as JsonObject)['items'] as readonly JsonObject[]
  const agent = agents.find(({ handle }) => handle === options.agent)
  if (options.chat === undefined && options.agent !== undefined && !agent)
    throw agentUnknownError.create({ handle: options.agent, known: agents.map(({ handle }) => String(handle)) })
  const chat = (await (options.chat === undefined
    ? request('POST', '/api/chats', agent ? { agent_id: String(agent['id']) } : {})
    : request('GET', `/api/chats/${encodeURIComponent(options.chat)}`))) as JsonObject
  const its = agents.find(({ id }) => id === chat['agent_id'])
  return { id: String(chat['id']), agent: String(its?.['name'] ?? 'the agent') }
}
