import { createHash } from 'node:crypto'
import type { ModelMessage, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import type { Agent } from '../agents/agent.js'

/**
 * The system message: what is the same for all agents first, then what is this agent's, so that vendors can cache the prefix. No clock and nothing
 * else that changes from call to call.
 */
export function systemMessage(shared: string, agent: Pick<Agent, 'name' | 'instructions'>): ModelMessage {
  const sections = [shared.trim(), `Your name is ${agent.name}.`, agent.instructions.trim()].filter((section) => section !== '')
  return { role: 'system', content: [{ type: 'text', text: sections.join('\n\n') }] }
}

/** Names what was asked of a model, for the log of the run: the same request has the same hash. */
export function hashRequest(messages: readonly ModelMessage[], tools: readonly ModelTool[]): string {
  return createHash('sha256')
    .update(JSON.stringify([messages, tools]))
    .digest('hex')
}

/** Names the arguments of a call. */
export const hashArguments = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
