import { defineError } from '@agent-service/sdk'

/** No service answers at the address. */
export const serviceUnreachableError = defineError<{ readonly url: string; readonly reason: string }>({
  code: 'service_unreachable',
  status: 503,
  title: 'Service unreachable',
  message: ({ url, reason }) =>
    `No service answers at ${url} (${reason}). Start it with “agent-service start”, or name another address with --url.`,
})

/** The service answered with a problem. */
export const serviceProblemError = defineError<{ readonly status: number; readonly code: string; readonly detail: string }>({
  code: 'service_problem',
  status: 502,
  title: 'The service refused',
  message: ({ detail, code, status }) => `${detail} (${code}, ${status})`,
})

/** A question had to be asked, and there is nobody to answer. */
export const notInteractiveError = defineError<{ readonly question: string; readonly instead: string }>({
  code: 'not_interactive',
  status: 400,
  title: 'No terminal',
  message: ({ question, instead }) => `“${question}” has to be answered, and this is no terminal. ${instead}`,
})
