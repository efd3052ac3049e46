import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { createToolNames, type ToolNames } from '@agent-service/sdk/provider-kit'

const rule = { refused: /[^a-zA-Z0-9_-]/g, maxLength: 64 }

/** The names of the tools that a request offers, as this protocol takes them. */
export const toolNamesOf = (request: ModelRequest): ToolNames =>
  createToolNames(
    request.tools.map(({ name }) => name),
    rule,
  )

const ids = createToolNames([], rule)

/** The id of a call as this protocol takes it: those of other vendors may hold other characters. The same for a call and its result. */
export const wireCallId = (id: string): string => ids.wire(id)
