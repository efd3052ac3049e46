import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { UserAccounts } from '../accounts/user-accounts.js'
import { isUsable, type Sessions } from './sessions.js'

/** Whether a session of a user can be used, for features that keep something for one device. */
export function createHasSession(dependencies: {
  readonly accounts: Pick<UserAccounts, 'get'>
  readonly sessions: Pick<Sessions, 'live'>
  readonly clock: Pick<Clock, 'now'>
}): Accounts['hasSession'] {
  const { accounts, sessions, clock } = dependencies
  return async (userId, sessionId) => {
    const [user, session] = await Promise.all([accounts.get(userId), sessions.live(sessionId)])
    return user !== undefined && !user.disabled && session?.user_id === userId && isUsable(session, user, clock.now())
  }
}
