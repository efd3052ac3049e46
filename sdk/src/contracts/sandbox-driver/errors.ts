import { defineError } from '../../core/errors.js'

/** Nothing on this machine confines a process. The reason says what is missing. */
export const sandboxUnavailableError = defineError<{ readonly reason: string }>({
  code: 'sandbox_unavailable',
  status: 503,
  title: 'Sandbox unavailable',
  message: ({ reason }) => `Code cannot run here because nothing would confine it: ${reason}`,
})

/** This machine cannot keep what a process asks for; nothing has run. */
export const sandboxRefusedError = defineError<{ readonly reason: string }>({
  code: 'sandbox_refused',
  status: 409,
  title: 'Sandbox refused',
  message: ({ reason }) => `The process was not started: ${reason}`,
})

/** No running process has the id. */
export const sandboxProcessNotFoundError = defineError<{ readonly id: string }>({
  code: 'sandbox_process_not_found',
  status: 404,
  title: 'Process not found',
  message: ({ id }) => `No running process has the id “${id}”. It may have ended.`,
})
