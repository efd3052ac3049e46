import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { createToolNames, type ToolNames } from '@agent-service/sdk/provider-kit'

const rule = { refused: /[^a-zA-Z0-9_-]/g, maxLength: 64 }

/** The names of a request's tools, valid in this protocol. */
export const toolNamesOf = (request: ModelRequest): ToolNames =>
  createToolNames(
    request.tools.map(({ name }) => name),
    rule,
  )

const ids = createToolNames([], rule)

/**
 * A call id valid in this protocol: ids of other vendors may contain other characters. The same for
 * a call and its result.
 */
export const wireCallId = (id: string): string => ids.wire(id)
