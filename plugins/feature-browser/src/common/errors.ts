import { defineError } from '@agent-service/sdk'

/** No browser is configured. */
export const browserUnavailableError = defineError<{ readonly reason: string }>({
  code: 'browser_unavailable',
  status: 503,
  title: 'Browser not available',
  message: ({ reason }) => `The browser is not available: ${reason}`,
})

/** A connection to the browser ended while something was asked of it. */
export const browserLostError = defineError<{ readonly reason: string }>({
  code: 'browser_lost',
  status: 503,
  title: 'Connection to the browser lost',
  message: ({ reason }) => `The connection to the browser is lost: ${reason}. The next use opens a new one; its pages are gone.`,
})

/** The browser refused a command of the protocol. */
export const browserCommandError = defineError<{ readonly method: string; readonly reason: string }>({
  code: 'browser_command_failed',
  status: 502,
  title: 'Browser command failed',
  message: ({ method, reason }) => `The browser did not do ${method}: ${reason}`,
})

/** The browser did not answer a command in time. */
export const browserSlowError = defineError<{ readonly method: string; readonly limitMs: number }>({
  code: 'browser_timeout',
  status: 504,
  title: 'Browser too slow',
  message: ({ method, limitMs }) =>
    `The browser did not answer ${method} within ${limitMs} ms. The page may be busy; close it with browser_close and open it again.`,
})

/** Something that the model can do differently. */
export const browserUseError = defineError<{ readonly text: string }>({
  code: 'browser_use_invalid',
  status: 422,
  title: 'Not possible in the browser',
  message: ({ text }) => text,
})
