import { createHash } from 'node:crypto'
import type { ModelMessage, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { textOfModelTool } from '../../context/model-tool.js'

/** Names what was asked of a model, for the log of the run: the same request has the same hash. */
export function hashRequest(messages: readonly ModelMessage[], tools: readonly ModelTool[]): string {
  const hash = createHash('sha256').update(JSON.stringify(messages))
  for (const tool of tools) hash.update(textOfModelTool(tool))
  return hash.digest('hex')
}

/** Names the arguments of a call. */
export const hashArguments = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
