import { type JsonObject, ServiceError } from '@agent-service/sdk'
import type { ToolContext, ToolResult } from '@agent-service/sdk/contracts/tool'
import type { SandboxPrincipal } from '@agent-service/sdk/services/sandbox'

/** Who runs what a tool call starts. */
export const principalOf = ({ userId, userHandle, agentId, agentHandle, workspace }: ToolContext): SandboxPrincipal => ({
  ...{ userId, userHandle, kind: 'agent', id: agentId, handle: agentHandle, workspace },
})

/** The agents for which a call is made, as a start of a process names them. */
export const callersOf = ({ callers = [] }: Pick<ToolContext, 'callers'>): readonly string[] => callers.map(({ id }) => id)

/** A result in words. */
export const answer = (isError: boolean, ...texts: readonly string[]): ToolResult => ({
  content: texts.filter((text) => text !== '').map((text) => ({ type: 'text', text })),
  ...(isError && { isError }),
})

/** Runs a call; an error that the agent or the person can mend becomes its result. */
export async function reported(context: ToolContext, work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    context.signal.throwIfAborted()
    return await work()
  } catch (error) {
    context.signal.throwIfAborted()
    if (!ServiceError.isInstance(error) || (error.status >= 500 && error.status !== 503 && error.status !== 507)) throw error
    return answer(true, error.message)
  }
}

/** A text among the arguments of a call; `undefined` if it is absent. */
export const textIn = (input: JsonObject, name: string): string | undefined => {
  const value = input[name]
  return typeof value === 'string' ? value : undefined
}

/** A number among the arguments of a call; `undefined` if it is absent. */
export const numberIn = (input: JsonObject, name: string): number | undefined => {
  const value = input[name]
  return typeof value === 'number' ? value : undefined
}
