import {
  channelOutcomeUnknownError,
  channelRejectedError,
  channelThrottledError,
  channelUnauthorizedError,
  channelUnavailableError,
} from '../../contracts/channel/errors.js'
import type { ServiceError } from '../../core/errors.js'

/** An answer that is a failure. */
export interface ChannelHttpFailure {
  /** The channel's title, for people. */
  readonly channel: string
  /** From 300 up. */
  readonly status: number
  /** How long the vendor asks to wait. Default: it does not say. */
  readonly retryAfterMs?: number | undefined
  /** Whether a message was to be sent: a failure of the vendor may come after it took it. */
  readonly sending?: boolean
}

/**
 * What the status of an answer usually means, as an error of the contract. Nothing of what the vendor
 * wrote is in it. Vendors whose statuses say something else are read by their channel first.
 */
export function channelHttpFailure({ channel, status, retryAfterMs, sending = false }: ChannelHttpFailure): ServiceError {
  const reason = `it answers ${status}`
  if (status === 401) return channelUnauthorizedError.create({ channel, reason: 'wrong' })
  // While a message is sent it says that this one must not go there.
  if (status === 403 && !sending) return channelUnauthorizedError.create({ channel, reason: 'missing_permission' })
  if (status === 429) return channelThrottledError.create({ channel, ...(retryAfterMs !== undefined && { retryAfterMs }) })
  if (status === 408 || status === 425) return channelUnavailableError.create({ channel, reason })
  if (status >= 400 && status < 500) return channelRejectedError.create({ channel, reason })
  if (status === 503 || !sending) return channelUnavailableError.create({ channel, reason })
  return channelOutcomeUnknownError.create({ channel, reason })
}
