import { defineError } from '../../core/errors.js'

/** Why a vendor did not take the credentials. */
export type ChannelRefusal = 'wrong' | 'expired' | 'revoked' | 'missing_permission' | 'unknown'

const refusals: Readonly<Record<ChannelRefusal, string>> = {
  wrong: 'they are wrong',
  expired: 'they have expired',
  revoked: 'they were revoked',
  missing_permission: 'they lack a permission that the channel needs',
  unknown: 'it does not say why',
}

/** The vendor did not take the credentials of the connection. It is not tried again. */
export const channelUnauthorizedError = defineError<{ readonly channel: string; readonly reason: ChannelRefusal }>({
  code: 'channel_unauthorized',
  status: 422,
  title: 'Channel refused the credentials',
  message: ({ channel, reason }) =>
    `${channel} refused the credentials of the connection: ${refusals[reason]}. Set the connection up with new ones.`,
})

/**
 * The settings of the connection are of no use, which shows without the vendor. It is not tried again.
 * `reason` follows the name of the member: `is no folder of the account`.
 */
export const channelConnectionInvalidError = defineError<{ readonly member: string; readonly reason: string }>({
  code: 'channel_connection_invalid',
  status: 422,
  title: 'Channel connection invalid',
  message: ({ member, reason }) => `The connection cannot be used: “${member}” ${reason}.`,
})

/** The vendor asks for fewer requests. What was to be sent was not sent. Waiting does not count as a try. */
export const channelThrottledError = defineError<{ readonly channel: string; readonly retryAfterMs?: number }>({
  code: 'channel_throttled',
  status: 503,
  title: 'Channel asks to wait',
  message: ({ channel, retryAfterMs }) =>
    `${channel} takes no more requests at the moment${retryAfterMs === undefined ? '' : ` for ${Math.ceil(retryAfterMs / 1_000)} s`}. Try again later.`,
})

/**
 * The vendor cannot be reached, is too slow or answers with a failure. What was to be sent was
 * certainly not sent. A retry may help.
 */
export const channelUnavailableError = defineError<{ readonly channel: string; readonly reason: string }>({
  code: 'channel_unavailable',
  status: 503,
  title: 'Channel not available',
  message: ({ channel, reason }) => `${channel} is not available: ${reason}. Try again later.`,
})

/** A message was on its way when the connection broke: it may have been sent, or not. From `send` and `edit` alone. */
export const channelOutcomeUnknownError = defineError<{ readonly channel: string; readonly reason: string }>({
  code: 'channel_outcome_unknown',
  status: 503,
  title: 'Outcome of the delivery unknown',
  message: ({ channel, reason }) => `${channel} did not say whether it took the message: ${reason}. Look there before you send it again.`,
})

/** The vendor refuses this message, file or conversation. Others may pass; the same one will not. */
export const channelRejectedError = defineError<{ readonly channel: string; readonly reason: string }>({
  code: 'channel_rejected',
  status: 422,
  title: 'Channel rejected the request',
  message: ({ channel, reason }) => `${channel} does not take this: ${reason}.`,
})

/**
 * What an error of a channel means for what happens next.
 *
 * - `auth`: the connection has failed for good, until it is set up anew.
 * - `throttled`: the same again after `retryAfterMs`, which counts as no try.
 * - `transient`: the same again after a pause.
 * - `rejected`: this message alone has failed for good.
 * - `unknown`: the message may have been sent, or not.
 */
export type ChannelErrorKind = 'auth' | 'throttled' | 'transient' | 'rejected' | 'unknown'

const kinds: readonly (readonly [{ isInstance(value: unknown): boolean }, ChannelErrorKind])[] = [
  [channelUnauthorizedError, 'auth'],
  [channelConnectionInvalidError, 'auth'],
  [channelThrottledError, 'throttled'],
  [channelUnavailableError, 'transient'],
  [channelRejectedError, 'rejected'],
  [channelOutcomeUnknownError, 'unknown'],
]

/**
 * The kind of an error that a function of a session threw. One that is not of this contract is
 * `unknown`: it may have come at any point.
 */
export function channelErrorKindOf(error: unknown): ChannelErrorKind {
  return kinds.find(([definition]) => definition.isInstance(error))?.[1] ?? 'unknown'
}
