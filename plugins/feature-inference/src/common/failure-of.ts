import type { ServiceError } from '@agent-service/sdk'

/** Kind and reason of an attempt's failure, for events. */
export const failureOf = (error: ServiceError): { readonly failure: string; readonly reason: string } => {
  const { failure, reason } = error.details
  return { failure: typeof failure === 'string' ? failure : error.code, reason: typeof reason === 'string' ? reason : error.message }
}
