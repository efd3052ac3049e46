import { createSingleFlight } from '@agent-service/sdk/async'
import { vaultContentInvalidError, vaultForbiddenError, vaultUnauthorizedError } from '@agent-service/sdk/contracts/vault-connector'
import type { HttpClientResponse } from '@agent-service/sdk/services/http-client'
import type { Account } from './connection/members.js'
import { vault } from './connection/vault-name.js'
import { decryptBytes, type SymmetricKey, symmetricKeyLength } from './crypto/encrypted-strings.js'
import { deriveStretchedKey } from './crypto/key-derivation.js'
import type { Profile } from './items/profile.js'
import { stringOf } from './json/camel-case.js'
import { bodyOf, type Send, type ServerRequest } from './server/http.js'
import { emailOf, type SignedIn, signIn } from './server/sign-in.js'
import type { TakeTurn } from './take-turn.js'

/** What is kept of a connection between calls: a token, keys, and encrypted items. */
export interface Session {
  readonly fingerprint: string
  readonly token: string
  /** Until when the token is used, by the clock of the sessions. */
  readonly until: number
  readonly encryptedKey: string
  readonly userKey: SymmetricKey
  /** For people. */
  readonly email: string
  /** The last answer to a sync, as it came, with the date that the account had before it. */
  readonly sync?: { readonly body: Uint8Array; readonly revision: string }
  readonly profile?: Profile
}

/** Signs in when it is needed. */
export interface Sessions {
  /** The present session, or a new one; always a new sign-in with `fresh`. @throws the errors of the contract. */
  open(account: Account, options: OpenOptions): Promise<Session>
  /** Sends a request with the token; signs in again, once, when the server does not take it. @throws the errors of the contract; `what` says what is not permitted. */
  send(account: Account, request: ServerRequest & { readonly what: string }, options: OpenOptions): Promise<HttpClientResponse>
  /** Keeps more of a session, if it is still there. */
  keep(account: Account, more: Pick<Session, 'sync' | 'profile'>): void
  forget(id: string): void
  clear(): void
}

export interface OpenOptions {
  readonly signal: AbortSignal
  readonly fresh?: boolean
}

interface SessionsOptions {
  readonly request: Send
  readonly takeTurn: TakeTurn
  /** Monotonic, in milliseconds. */
  readonly now: () => number
}

const maxSessions = 500
const maxIdleMs = 10 * 60_000
/** Of all answers to syncs together; beyond it the longest unused are given up. */
const maxSyncBytes = 64 * 1_024 * 1_024
const maxSignInMs = 120_000
/** A token is renewed so long before its end. */
const marginMs = 30_000

export function createSessions({ request, takeTurn, now }: SessionsOptions): Sessions {
  const sessions = new Map<string, { session: Session; usedAt: number }>()
  const flight = createSingleFlight<string, Session>()

  /** A call that is under way still has its keys. */
  const forget = (id: string): void => {
    sessions.delete(id)
  }
  const put = (id: string, session: Session): void => {
    sessions.delete(id)
    sessions.set(id, { session, usedAt: now() })
    for (const [each, { usedAt }] of sessions) if (now() - usedAt >= maxIdleMs || sessions.size > maxSessions) forget(each)
    let bytes = 0
    for (const kept of [...sessions.values()].reverse()) {
      bytes += kept.session.sync?.body.length ?? 0
      if (bytes > maxSyncBytes && kept.session.sync !== undefined) {
        bytes -= kept.session.sync.body.length
        const { sync: _, ...rest } = kept.session
        kept.session = rest
      }
    }
  }
  const present = (account: Account): Session | undefined => {
    const kept = sessions.get(account.id)
    return kept === undefined || kept.session.fingerprint !== account.fingerprint || now() - kept.usedAt >= maxIdleMs
      ? undefined
      : kept.session
  }

  const begin = async (account: Account): Promise<Session> => {
    const options = { signal: AbortSignal.timeout(maxSignInMs) }
    try {
      const signedIn = await signIn(request, account, options)
      const before = present(account)
      const email = emailOf(signedIn.token) ?? signedIn.salt ?? (await emailFrom(account, signedIn, options))
      const isSame = before !== undefined && before.encryptedKey === signedIn.encryptedKey
      const userKey = isSame ? before.userKey : await unlock(account, { signedIn, email, options })
      const { token, encryptedKey, lifetimeMs } = signedIn
      const session = { ...(isSame ? before : {}), ...{ token, encryptedKey, userKey, email, fingerprint: account.fingerprint } }
      const made = { ...session, until: now() + Math.max(1_000, lifetimeMs - marginMs) }
      put(account.id, made)
      return made
    } catch (error) {
      if (present(account) !== undefined) forget(account.id)
      throw error
    }
  }

  const emailFrom = async (account: Account, { token }: SignedIn, options: { readonly signal: AbortSignal }): Promise<string> => {
    const headers = { authorization: `Bearer ${token}` }
    const email = stringOf(bodyOf(await request(account, { url: `${account.servers.api}/accounts/profile`, headers }, options))['email'])
    if (email === undefined) throw vaultContentInvalidError.create({ vault, reason: 'it does not tell the e-mail address of the account' })
    return email.trim().toLowerCase()
  }

  const unlock = async (
    { id, masterPassword }: Account,
    {
      signedIn,
      email,
      options,
    }: { readonly signedIn: SignedIn; readonly email: string; readonly options: { readonly signal: AbortSignal } },
  ): Promise<SymmetricKey> => {
    const { encryptedKey, derivation, salt = email } = signedIn
    if (!encryptedKey.startsWith('2.'))
      throw vaultContentInvalidError.create({ vault, reason: 'the key of the account is in a form that is not known' })
    const stretched = await takeTurn(id, options, () => deriveStretchedKey(masterPassword, salt, derivation))
    const userKey = decryptBytes(encryptedKey, stretched)
    if (userKey === undefined) throw vaultUnauthorizedError.create({ vault, reason: 'wrong' })
    if (userKey.length !== symmetricKeyLength)
      throw vaultContentInvalidError.create({ vault, reason: 'the account is encrypted in a newer way that is not known yet' })
    return userKey
  }

  const open: Sessions['open'] = async (account, { signal, fresh = false }) => {
    signal.throwIfAborted()
    const session = fresh ? undefined : present(account)
    if (session !== undefined && now() < session.until) {
      put(account.id, session)
      return session
    }
    return flight.run(`${account.id}\n${account.fingerprint}`, () => begin(account), { signal })
  }

  return {
    open,
    async send(account, { what, ...wanted }, { signal, fresh = false }) {
      const ask = async (anew: boolean): Promise<HttpClientResponse> => {
        const { token } = await open(account, { signal, fresh: anew })
        return request(account, { ...wanted, headers: { ...wanted.headers, authorization: `Bearer ${token}` } }, { signal })
      }
      let response = await ask(fresh)
      if (response.status === 401 && !fresh) response = await ask(true)
      if (response.status === 401) throw vaultUnauthorizedError.create({ vault, reason: 'unknown' })
      if (response.status === 403) throw vaultForbiddenError.create({ vault, what })
      return response
    },
    keep(account, more) {
      const session = present(account)
      if (session !== undefined) put(account.id, { ...session, ...more })
    },
    forget,
    clear: () => sessions.clear(),
  }
}
