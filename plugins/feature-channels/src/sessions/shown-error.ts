import { type Logger, ServiceError } from '@agent-service/sdk'
import { type ChannelErrorKind, channelErrorKindOf } from '@agent-service/sdk/contracts/channel'
import { wellFormed } from '../common/well-formed.js'

const shortest = 4
const maxMessage = 1_000

/** A failure of a channel as people may see it. */
export interface ShownError {
  readonly kind: ChannelErrorKind
  readonly code: string
  readonly message: string
  /** How long the vendor asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined
}

/**
 * What an error of a channel means, in words in which no secret of the connection is left. What is no
 * error of the contract is a fault of the channel, and not shown.
 */
export function shownError(
  error: unknown,
  { hidden, channel, log }: { readonly hidden: readonly string[]; readonly channel: string; readonly log: Logger },
): ShownError {
  const kind = channelErrorKindOf(error)
  if (!ServiceError.isInstance(error) || !error.code.startsWith('channel_')) {
    log.warn('A channel failed in a way that its contract does not have.', { channel, error })
    return { kind, code: 'channel_failed', message: 'The channel failed in a way that it does not explain.', retryAfterMs: undefined }
  }
  const { retryAfterMs } = error.details as { readonly retryAfterMs?: unknown }
  const isSafe = !hidden.some((value) => value.length >= shortest && error.message.includes(value))
  const message = isSafe
    ? oneLine(error.message)
    : 'The channel failed, and its message is not shown, since it has a secret of the connection.'
  return { kind, code: error.code, message, retryAfterMs: typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? retryAfterMs : undefined }
}

/** Plain text on one line. */
export const oneLine = (text: string, max = maxMessage): string =>
  wellFormed(text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').slice(0, max)).trim()
