import type { ServiceError } from '@agent-service/sdk'

/** What an attempt's failure is called in events. */
export const failureOf = (error: ServiceError): { readonly failure: string; readonly reason: string } => {
  const { failure, reason } = error.details
  return { failure: typeof failure === 'string' ? failure : error.code, reason: typeof reason === 'string' ? reason : error.message }
}
