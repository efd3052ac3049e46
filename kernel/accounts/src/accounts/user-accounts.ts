import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Page, Transaction } from '@agent-service/sdk/services/database'
import { pageOfMatches } from '../paging/page-of-matches.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import { emailTakenError, registrationClosedError, setupCodeRequiredError, usernameTakenError } from '../records/errors.js'
import { accountGuard, type UserRecord, type UserRole, userNames, users } from '../records/records.js'
import { timestamp } from '../records/timestamps.js'
import { type AccountInput, type CheckedAccountInput, checkAccountInput, normalLogin } from './account-input.js'
import { addUser } from './add-user.js'

/** What the creator of an account may do. Checked again in the transaction that creates it. */
export interface CreationGrant {
  /**
   * An admin, or the person at the command line: any account, whether or not registration is open.
   */
  readonly trusted: boolean
  /** May create the first account: a loopback caller, or one with the set-up code. */
  readonly mayBeFirst: boolean
  /** The trusted creator vouches that the e-mail address is the person's. Default: it is unconfirmed. */
  readonly vouchesForEmail?: boolean
  /**
   * An invitation admits the person although registration is not open. Uses it up in the transaction
   * that creates the account. @throws if it can no longer be used.
   */
  readonly useInvitation?: (transaction: Transaction) => Promise<void>
}

/** Which accounts to list; absent members mean all. */
export interface AccountFilter {
  /** A part of the username, the name or the e-mail address, in any case. */
  readonly search?: string
  readonly role?: UserRole
  readonly disabled?: boolean
}

/** The accounts, with the rules that apply to all of them. */
export interface UserAccounts {
  /** Whether there is no account yet. */
  isEmpty(): Promise<boolean>
  /**
   * Creates an account; the first one is an admin regardless of `role`. `alongside` runs in the
   * same transaction, and again if that is retried.
   * @throws `invalid_request`, `password_too_common`, `password_contains_name`, `username_taken`,
   * `email_taken`, `setup_code_required`, `registration_closed`, `sign_in_busy`.
   */
  create<Result>(
    input: AccountInput & { readonly role?: UserRole },
    grant: CreationGrant,
    alongside: (transaction: Transaction, user: UserRecord) => Result,
  ): Promise<{ readonly user: UserRecord; readonly result: Result }>
  get(userId: string): Promise<UserRecord | undefined>
  /** Finds an account by username, or by e-mail address if the text has an “@”. */
  findByLogin(login: string): Promise<UserRecord | undefined>
  /**
   * Lists accounts, ordered by username. With a filter a page may have fewer accounts than its
   * limit, or none, while more follow.
   */
  list(options: { readonly limit?: number; readonly cursor?: string } & AccountFilter): Promise<Page<UserRecord>>
  /** Every administrator, at most 1,000. */
  admins(): Promise<readonly UserRecord[]>
  /** Stores a new hash, unless the password was changed in the meantime. */
  replacePasswordHash(user: UserRecord, passwordHash: string): Promise<void>
}

export function createUserAccounts(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly hasher: PasswordHasher
  readonly commonPasswords: ReadonlySet<string>
  /** Whether everyone may sign up. */
  readonly allowRegistration: boolean
}): UserAccounts {
  const { database, clock, hasher, commonPasswords, allowRegistration } = dependencies
  const stored = database.collection(users)
  const isEmpty = async (): Promise<boolean> => (await database.collection(accountGuard).get('accounts')) === undefined

  const checkGrant = (grant: CreationGrant, first: boolean): void => {
    if (grant.trusted) return
    if (first && !grant.mayBeFirst) throw setupCodeRequiredError.create({})
    if (!first && !allowRegistration && !grant.useInvitation) throw registrationClosedError.create({})
  }

  const checkFree = async (read: Pick<Transaction, 'get' | 'find'>, input: CheckedAccountInput): Promise<void> => {
    if (await read.get(userNames, input.username)) throw usernameTakenError.create({ username: input.username })
    if (input.email !== null && (await read.find(users, 'by_email', [input.email]))) throw emailTakenError.create({})
  }

  return {
    isEmpty,
    async create(input, grant, alongside) {
      const checked = checkAccountInput(input, commonPasswords)
      checkGrant(grant, await isEmpty())
      await checkFree(
        {
          get: (collection, id) => database.collection(collection).get(id),
          find: (collection, index, key) => database.collection(collection).find(index, key),
        },
        checked,
      )
      const passwordHash = await hasher.hash(checked.password)
      return database.transaction(async (transaction) => {
        const guard = await transaction.get(accountGuard, 'accounts')
        checkGrant(grant, guard === undefined)
        await grant.useInvitation?.(transaction)
        await checkFree(transaction, checked)
        const user = addUser(transaction, guard, {
          ...checked,
          emailVerifiedAt: grant.trusted && grant.vouchesForEmail === true && checked.email !== null ? timestamp(clock.now()) : null,
          role: guard === undefined ? 'admin' : (input.role ?? 'user'),
          passwordHash,
          createdAt: timestamp(clock.now()),
        })
        return { user, result: alongside(transaction, user) }
      })
    },
    get: (userId) => stored.get(userId),
    findByLogin: (login) => stored.find(login.includes('@') ? 'by_email' : 'by_username', [normalLogin(login)]),
    list({ search, role, disabled, ...range }) {
      const query = (page: { readonly limit?: number; readonly cursor?: string }) => stored.query({ index: 'by_username', ...page })
      if (search === undefined && role === undefined && disabled === undefined) return query(range)
      const wanted = search?.trim().toLowerCase() ?? ''
      const matches = (user: UserRecord): boolean =>
        (role === undefined || user.role === role) &&
        (disabled === undefined || user.disabled === disabled) &&
        (wanted === '' || [user.username, user.name, user.email].some((text) => text?.toLowerCase().includes(wanted)))
      return pageOfMatches({ query, matches, ...range })
    },
    async admins() {
      const found: UserRecord[] = []
      let cursor: string | undefined
      do {
        const page = await stored.query({ index: 'by_role', equals: ['admin'], limit: 200, ...(cursor === undefined ? {} : { cursor }) })
        found.push(...page.items)
        cursor = page.nextCursor
      } while (cursor !== undefined && found.length < 1_000)
      return found
    },
    replacePasswordHash: (user, passwordHash) =>
      database.transaction(async (transaction) => {
        const current = await transaction.get(users, user.id)
        if (!current || current.password_hash !== user.password_hash) return
        transaction.put(users, { ...current, password_hash: passwordHash })
      }),
  }
}
