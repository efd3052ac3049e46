import { defineError } from '@agent-service/sdk'

/** No plugin has the channel that a connection names. */
export const channelUnknownError = defineError<{ readonly channel: string; readonly known: readonly string[] }>({
  code: 'channel_unknown',
  status: 422,
  title: 'No such channel',
  message: ({ channel, known }) =>
    `No active plugin has the channel “${channel}”. ${known.length === 0 ? 'None is active' : `Active are: ${known.join(', ')}`}.`,
})

/** A connection is not in the state that a request needs. */
export const channelStateError = defineError<{ readonly reason: string }>({
  code: 'channel_state',
  status: 409,
  title: 'Not possible now',
  message: ({ reason }) => reason,
})

/** A code of a pairing does not work, whatever the reason. */
export const pairingCodeError = defineError<Record<string, never>>({
  code: 'pairing_code_invalid',
  status: 404,
  title: 'No such code',
  message: () => 'This code is wrong, was used or has expired. Write to the channel again to get a new one.',
})

/** Too many wrong codes or addresses from one place. */
export const tooManyTriesError = defineError<Record<string, never>>({
  code: 'rate_limited',
  status: 429,
  title: 'Too many requests',
  message: () => 'Too many requests that lead nowhere came from here. Try again in a minute.',
})

/** A file of an agent is not sent. The agent reads why. */
export const fileNotSentError = defineError<{ readonly reason: string }>({
  code: 'file_not_sent',
  status: 422,
  title: 'File not sent',
  message: ({ reason }) => reason,
})
