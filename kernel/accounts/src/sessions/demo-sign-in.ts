import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { addUser } from '../accounts/add-user.js'
import type { AuditLog } from '../audit/index.js'
import { demoLinkInvalidError } from '../records/errors.js'
import { accountGuard, type UserRecord, userNames, users } from '../records/records.js'
import { timestamp } from '../records/timestamps.js'
import type { DemoLink } from './demo-link.js'
import type { KnownAddresses } from './known-addresses.js'
import type { Sessions } from './sessions.js'
import type { SignedIn, SignedInAnswer, SignInOrigin } from './sign-in.js'

/** The account that the link signs in to. It has no password. */
const username = 'demo'

/** Signs the person who started the demo in, as the account `demo`. */
export interface DemoSignIn {
  /**
   * Creates the account if it is missing; the first account of an installation is an admin. Ends
   * the earlier session of the same browser. @throws `demo_link_invalid` for every cause.
   */
  enter(secret: string, origin: SignInOrigin & { readonly loopback: boolean }): Promise<SignedIn>
}

interface Means {
  readonly link: DemoLink
  readonly database: Database
  readonly sessions: Sessions
  readonly addresses: KnownAddresses
  readonly answer: SignedInAnswer
  readonly endEarlier: (transaction: Transaction, token: string | undefined) => Promise<void>
  readonly clock: Clock
  readonly audit: AuditLog
  readonly log: Logger
}

export function createDemoSignIn(dependencies: Means): DemoSignIn {
  const { link, database, sessions, addresses, answer, endEarlier, audit, log } = dependencies
  const refuse = async (address: string): Promise<Error> => {
    log.warn('A sign-in with the link of the demo failed.', { address })
    await audit.note({
      ...{ kind: 'sign_in.failed', actor: { userId: null, address }, subjectId: null },
      details: { method: 'demo_link' },
    })
    return demoLinkInvalidError.create({})
  }
  return {
    async enter(secret, { loopback, ...origin }) {
      const { address } = origin
      // A request from elsewhere does not use the link up.
      if (!loopback || !link.redeem(secret)) throw await refuse(address)
      const entered = await database.transaction(async (transaction) => {
        const user = await accountOf(transaction, dependencies, address)
        if (!user || user.password_hash !== null || user.disabled) return undefined
        await endEarlier(transaction, origin.earlierToken)
        addresses.remember(transaction, user.id, address)
        audit.record(transaction, {
          ...{ kind: 'sign_in.succeeded', actor: { userId: user.id, address }, subjectId: user.id },
          details: { method: 'demo_link' },
        })
        return { user, session: sessions.begin(transaction, user, origin) }
      })
      if (!entered) throw await refuse(address)
      log.info('A sign-in with the link of the demo succeeded.', { address, user_id: entered.user.id, session_id: entered.session.id })
      return answer(entered.user, entered.session)
    },
  }
}

/** The account; `undefined` if it cannot be made, because one of its name was deleted. */
async function accountOf(
  transaction: Transaction,
  means: Pick<Means, 'clock' | 'audit'>,
  address: string,
): Promise<UserRecord | undefined> {
  const name = await transaction.get(userNames, username)
  if (!name) return addAccount(transaction, means, address)
  return name.user_id ? await transaction.get(users, name.user_id) : undefined
}

async function addAccount(
  transaction: Transaction,
  { clock, audit }: Pick<Means, 'clock' | 'audit'>,
  address: string,
): Promise<UserRecord> {
  const guard = await transaction.get(accountGuard, 'accounts')
  const user = addUser(transaction, guard, {
    ...{ username, email: null, emailVerifiedAt: null, name: 'Demo', timezone: null, passwordHash: null },
    role: guard === undefined ? 'admin' : 'user',
    createdAt: timestamp(clock.now()),
  })
  audit.record(transaction, {
    ...{ kind: 'account.created', actor: { userId: user.id, address }, subjectId: user.id },
    after: { username, role: user.role },
  })
  return user
}
