import { createHash } from 'node:crypto'
import { canonicalJson, type JsonObject } from '@agent-service/sdk'

/** Identifies a whole call: equal for two calls exactly if they name the same tool with equal arguments. */
export const callHash = (tool: string, sent: JsonObject): string =>
  createHash('sha256')
    .update(canonicalJson([tool, sent]))
    .digest('hex')
