import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { createToolNames, type ToolNames } from '@agent-service/sdk/provider-kit'

/** Tool names that this family accepts. */
const rule = { refused: /[^A-Za-z0-9_-]/g, maxLength: 64 }

/** Maps the names of a request's tools to the vendor and back, including those of past calls. */
export function toolNamesOf({ tools, messages }: ModelRequest): ToolNames {
  const remembered = messages.flatMap((message) =>
    message.role === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool_call' ? [part.name] : [])) : [],
  )
  return createToolNames([...remembered, ...tools.map(({ name }) => name)], rule)
}
