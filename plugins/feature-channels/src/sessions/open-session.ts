import type { Channel, ChannelSession } from '@agent-service/sdk/contracts/channel'
import type { Connection } from '../store/connection.js'
import type { ShownError } from './shown-error.js'

/** A connection whose session is open in this process. */
export interface OpenSession {
  /** As it was when the session began. */
  readonly connection: Connection
  readonly channel: Channel
  readonly session: ChannelSession
  /** Where the vendor reaches it, for a channel that supports webhooks. */
  readonly webhookUrl: string | undefined
  /** Values that no error may show. */
  readonly hidden: readonly string[]
  /** Aborted when the session ends. */
  readonly signal: AbortSignal
  /** A call has shown that the session is of no use any more. */
  fail(error: ShownError): void
}
