import type { Tool } from '@agent-service/sdk/contracts/tool'
import type { ToolOwner } from './agent-tools.js'

/** Whether a tool lets this agent have it. What does not answer was made a no where the tool came in. */
export const isOffered = (tool: Tool, { id, handle, user_id, memory }: ToolOwner): boolean =>
  tool.offered === undefined || tool.offered({ id, handle, userId: user_id, memory: { enabled: memory.enabled } }) === true
