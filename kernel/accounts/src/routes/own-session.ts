import { unauthenticatedError } from '@agent-service/kernel-core/http'
import { type Principal, sessionRequiredError } from '@agent-service/sdk/contracts/http-route'
import type { UserAccounts } from '../accounts/user-accounts.js'
import type { UserRecord } from '../records/records.js'

/** The account of a request. @throws `unauthenticated` if there is none, or it was deleted. */
export async function callerOf(accounts: Pick<UserAccounts, 'get'>, principal: Principal | undefined): Promise<UserRecord> {
  const user = principal && (await accounts.get(principal.userId))
  if (!user) throw unauthenticatedError.create({})
  return user
}

/** The session of a request. @throws `session_required` for a token. */
export function sessionIdOf(principal: Principal | undefined): string {
  if (principal?.sessionId === undefined) throw sessionRequiredError.create({})
  return principal.sessionId
}
