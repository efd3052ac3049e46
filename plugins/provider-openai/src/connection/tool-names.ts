import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { createToolNames, type ToolNames } from '@agent-service/sdk/provider-kit'

/** What this family takes as the name of a tool. */
const rule = { refused: /[^A-Za-z0-9_-]/g, maxLength: 64 }

/** The names of a request's tools on their way to the vendor and back; those that a conversation remembers too. */
export function toolNamesOf({ tools, messages }: ModelRequest): ToolNames {
  const remembered = messages.flatMap((message) =>
    message.role === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool_call' ? [part.name] : [])) : [],
  )
  return createToolNames([...remembered, ...tools.map(({ name }) => name)], rule)
}
