import { createHash } from 'node:crypto'
import type { ModelMessage, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { textOfModelTool } from '../../context/model-tool.js'

/** The hash of a model request, for the log of the run. Equal requests have equal hashes. */
export function hashRequest(messages: readonly ModelMessage[], tools: readonly ModelTool[]): string {
  const hash = createHash('sha256').update(JSON.stringify(messages))
  for (const tool of tools) hash.update(textOfModelTool(tool))
  return hash.digest('hex')
}

/** The hash of a call's arguments. */
export const hashArguments = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
