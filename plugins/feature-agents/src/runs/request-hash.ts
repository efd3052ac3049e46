import { createHash } from 'node:crypto'
import type { ModelMessage, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'

/** Names what was asked of a model, for the log of the run: the same request has the same hash. */
export function hashRequest(messages: readonly ModelMessage[], tools: readonly ModelTool[]): string {
  return createHash('sha256')
    .update(JSON.stringify([messages, tools]))
    .digest('hex')
}

/** Names the arguments of a call. */
export const hashArguments = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
