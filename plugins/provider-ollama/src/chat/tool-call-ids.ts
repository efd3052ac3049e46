import { createHash } from 'node:crypto'
import type { JsonObject } from '@agent-service/sdk'

const prefix = 'made-up-'

/**
 * An id for a call that came without one, as from older servers: the same whenever the same call is read again, another for each call of a conversation.
 */
export function makeUpCallId(call: {
  /** How many messages the conversation had. */
  readonly turn: number
  readonly position: number
  readonly name: string
  readonly arguments: JsonObject
}): string {
  const text = JSON.stringify([call.turn, call.position, call.name, call.arguments])
  return `${prefix}${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}

/** True for an id that the runtime never gave and need not see. */
export const isMadeUp = (id: string): boolean => id.startsWith(prefix)
