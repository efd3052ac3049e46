import { createHash } from 'node:crypto'
import type { JsonObject } from '@agent-service/sdk'

const prefix = 'made-up-'

/**
 * An id for a call without one, as from older servers: stable for the same call, unique in a
 * conversation.
 */
export function makeUpCallId(call: {
  /** The number of messages in the conversation. */
  readonly turn: number
  readonly position: number
  readonly name: string
  readonly arguments: JsonObject
}): string {
  const text = JSON.stringify([call.turn, call.position, call.name, call.arguments])
  return `${prefix}${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}

/** True for a generated id, which the runtime must not get. */
export const isMadeUp = (id: string): boolean => id.startsWith(prefix)
