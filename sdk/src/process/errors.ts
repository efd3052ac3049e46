import { defineError } from '../core/errors.js'

/** A program could not be started: it is missing, may not be run, or its folder is missing. */
export const processStartError = defineError<{ readonly command: string; readonly reason: string }>({
  code: 'process_start_failed',
  status: 500,
  title: 'Program could not be started',
  message: ({ command, reason }) => `“${command}” could not be started: ${reason}. Check that it is installed and executable.`,
})

/** A child has ended, or its input is closed: it cannot receive messages or answer. */
export const processGoneError = defineError<{ readonly what: string; readonly reason: string }>({
  code: 'process_gone',
  status: 502,
  title: 'Process gone',
  message: ({ what, reason }) => `${what} has ended: ${reason}`,
})

/** The input violates the framing or the protocol. The channel cannot be used any longer. */
export const messageInvalidError = defineError<{ readonly reason: string }>({
  code: 'process_message_invalid',
  status: 502,
  title: 'Message invalid',
  message: ({ reason }) => `The process sent a message that cannot be read: ${reason}`,
})

/** A message is larger than its limit, in either direction. */
export const messageTooLargeError = defineError<{ readonly maxBytes: number }>({
  code: 'process_message_too_large',
  status: 502,
  title: 'Message too large',
  message: ({ maxBytes }) => `A message is larger than ${maxBytes} bytes. Send less at a time, or raise the limit.`,
})

/** Too many requests are under way. */
export const peerBusyError = defineError<{ readonly maxPending: number }>({
  code: 'process_peer_busy',
  status: 503,
  title: 'Too many requests',
  message: ({ maxPending }) =>
    `The process has ${maxPending} unanswered requests, which is the maximum. Try again when some have finished.`,
})

/** The other side answered a request with an error. `remoteCode` and `data` are its own words. */
export const remoteError = defineError<{ readonly remoteCode: number; readonly text: string; readonly data?: unknown }>({
  code: 'process_remote_error',
  status: 502,
  title: 'The process reported an error',
  message: ({ remoteCode, text }) => `The process answered with error ${remoteCode}: ${text}`,
})

/** A child ended more often than its budget of restarts allows. It stays down. */
export const restartsUsedUpError = defineError<{ readonly name: string; readonly maxRestarts: number; readonly reason: string }>({
  code: 'process_restarts_used_up',
  status: 503,
  title: 'Process keeps failing',
  message: ({ name, maxRestarts, reason }) => `“${name}” was restarted ${maxRestarts} times and still fails: ${reason}`,
})
