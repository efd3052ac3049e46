import { defineError } from '../../core/errors.js'

/** The connection has ended; the message did not reach the client, or that is unknown. */
export const connectionClosedError = defineError<{ readonly code: number; readonly reason: string }>({
  code: 'connection_closed',
  status: 409,
  title: 'Connection closed',
  message: ({ code, reason }) =>
    `The WebSocket is closed (${code}${reason === '' ? '' : `, ${reason}`}). Stop sending when the signal of the connection is aborted.`,
})
