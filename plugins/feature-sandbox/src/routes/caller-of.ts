import type { Principal } from '@agent-service/sdk/contracts/http-route'

/** The person behind a request. Every route here requires a user. */
export function callerOf({ principal }: { readonly principal?: Principal }): Principal {
  if (!principal) throw new TypeError('A route that requires a user was called without a principal.')
  return principal
}
