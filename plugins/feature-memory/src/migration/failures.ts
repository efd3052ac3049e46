import { randomUUID } from 'node:crypto'
import { ServiceError } from '@agent-service/sdk'
import type { MigrationEnds } from './copy-user.js'

/**
 * Whether a failed copy concerns its user alone: a back end has refused something of theirs, or
 * both back ends still answer for others. A back end that is down concerns everyone.
 */
export async function isOfOneUser(error: unknown, { source, target }: MigrationEnds, signal: AbortSignal): Promise<boolean> {
  if (ServiceError.isInstance(error) && error.status < 500) return true
  for (const calls of [source, target]) {
    try {
      await calls.call({ what: 'list', signal }, (backend, limited) =>
        backend.list({ userId: randomUUID() }, { limit: 1, signal: limited }),
      )
    } catch {
      // The call has logged why; what counts here is that the back end does not answer.
      signal.throwIfAborted()
      return false
    }
  }
  return true
}
