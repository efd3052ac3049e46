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

/** No account has this name or e-mail address. */
export const accountUnknownError = defineError<{ readonly name: string }>({
  code: 'account_unknown',
  status: 404,
  title: 'Unknown account',
  message: ({ name }) => `There is no account “${name}”. “agent-service users list” lists them all.`,
})

/** The new encryption secret cannot be used. */
export const newSecretRefusedError = defineError<{ readonly reason: string }>({
  code: 'new_secret_refused',
  status: 422,
  title: 'New secret refused',
  message: ({ reason }) => `The new encryption secret ${reason}. Generate one with: openssl rand -base64 32`,
})
