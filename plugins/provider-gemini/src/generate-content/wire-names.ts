import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { createToolNames, type ToolNames } from '@agent-service/sdk/provider-kit'

/** The names of a request's tools, valid in this protocol. */
export const toolNamesOf = (request: ModelRequest): ToolNames =>
  createToolNames(
    request.tools.map(({ name }) => name),
    { refused: /[^a-zA-Z0-9_.-]/g, maxLength: 64, start: /^[a-zA-Z_]/ },
  )
