import { defineError } from '../../core/errors.js'

/** The connection has ended; what was sent did not reach the client, or it is not known whether it did. */
export const connectionClosedError = defineError<{ readonly code: number; readonly reason: string }>({
  code: 'connection_closed',
  status: 409,
  title: 'Connection closed',
  message: ({ code, reason }) =>
    `The WebSocket is closed (${code}${reason === '' ? '' : `, ${reason}`}). Stop sending when the signal of the connection is aborted.`,
})
