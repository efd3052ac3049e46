import type { Logger } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import { v7 as uuid } from 'uuid'
import type { SignInSettings } from '../catalogue/catalogue-schema.js'
import { beginBrowserFlow, exchangeCode, type Redirect } from './browser-flow.js'
import type { StoredCredential } from './credential.js'
import type { CredentialStore } from './credential-store.js'
import { type FlowResult, pollForTokens, requestDeviceCode } from './device-flow.js'
import { signInStateError, signInsTooManyError, signInUnavailableError } from './errors.js'
import { failureMessages, type SignInFailure, type SignInView } from './sign-in-view.js'
import { type AskServer, tokensOf } from './token-endpoint.js'

/** How long a person may take in the browser, and how long the end of a sign-in can be asked for. */
const browserMs = 15 * 60_000
const keptMs = 15 * 60_000
const mostPending = 20

/** Who signs in, and for what. */
export interface SignInRequest {
  readonly brand: string
  readonly settings: SignInSettings
  readonly label: string
  /** The account that signs in again; absent: a new credential is made. */
  readonly credentialId?: string
  readonly actor: { readonly userId: string; readonly address: string }
}

/**
 * The sign-ins with accounts that are under way, in this process: a restart ends them, and who began one begins it again. Only who began a sign-in sees
 * and completes it.
 */
export interface SignIns {
  /** @throws `sign_in_unavailable`, `sign_ins_too_many`. */
  begin(request: SignInRequest, options: { readonly signal: AbortSignal }): Promise<SignInView>
  /** @throws `not_found`. */
  get(id: string, userId: string): SignInView
  /** Nothing happens to one that has ended. @throws `not_found`. */
  cancel(id: string, userId: string): SignInView
  /** A person came back: by the state, once. With `id`, only to that one. @throws `sign_in_state_invalid`. */
  complete(redirect: Redirect, by: { readonly userId: string; readonly id?: string }): Promise<SignInView>
  /** Ends all of them. */
  close(): Promise<void>
}

interface Entry {
  readonly request: SignInRequest
  view: SignInView
  readonly stop: AbortController
  /** In the browser: what the person comes back with, until it was used. */
  finish?: { readonly state: string; use(redirect: Redirect): Promise<void> }
  /** In milliseconds since 1970. */
  endedAt?: number
}

/** Makes it. */
export function createSignIns(dependencies: {
  readonly store: CredentialStore
  readonly ask: AskServer
  readonly clock: Clock
  readonly log: Logger
  readonly callbackUrl: () => string
  /** Notes a sign-in that made or renewed a credential. */
  onCompleted(credential: StoredCredential, request: SignInRequest): Promise<void>
}): SignIns {
  const { store, ask, clock, log, callbackUrl, onCompleted } = dependencies
  const entries = new Map<string, Entry>()
  const work = new Set<Promise<void>>()

  const end = (entry: Entry, members: Partial<SignInView>): void => {
    if (entry.view.state !== 'pending') return
    entry.view = { ...entry.view, ...members }
    entry.endedAt = clock.now()
    delete entry.finish
  }
  const fail = (entry: Entry, reason: SignInFailure, detail?: string): void => {
    const words = failureMessages[reason]
    const message =
      reason === 'refused' || reason === 'unavailable' ? `${words}${detail === undefined ? '' : `: ${detail}`}. Begin again.` : words
    end(entry, { state: 'failed', reason, message })
  }
  const settle = async (entry: Entry, result: FlowResult): Promise<void> => {
    if (result.kind === 'failed') return fail(entry, result.reason, result.detail)
    const { request } = entry
    const payload = tokensOf(result.body, request.settings, { now: clock.now() })
    if ('unusable' in payload) return fail(entry, 'refused', payload.unusable)
    // Cancelled while the vendor answered.
    if (entry.view.state !== 'pending') return
    const { brand, label, credentialId } = request
    const stored = await (credentialId === undefined ? store.create({ brand, label, payload }) : store.replace(credentialId, payload))
    if (!stored) return fail(entry, 'refused', 'the credential that signs in again was deleted')
    // Cancelled while it was stored.
    if (entry.view.state !== 'pending') return void (credentialId === undefined && (await store.delete(stored.id)))
    end(entry, { state: 'completed', credential_id: stored.id })
    await onCompleted(stored, request)
  }
  /** What goes on without a request. */
  const background = (entry: Entry, flow: () => Promise<void>): void => {
    const running = flow()
      .catch((error: unknown) => {
        if (entry.stop.signal.aborted) return
        log.error('A sign-in with an account failed.', { brand: entry.request.brand, error })
        fail(entry, 'unavailable')
      })
      .finally(() => work.delete(running))
    work.add(running)
  }
  const cancelEntry = (entry: Entry): void => {
    end(entry, { state: 'cancelled' })
    entry.stop.abort(new DOMException('The sign-in was cancelled.', 'AbortError'))
  }
  const tidy = (): void => {
    for (const [id, entry] of entries) {
      if (entry.endedAt !== undefined && clock.now() - entry.endedAt > keptMs) entries.delete(id)
    }
  }
  const entryOf = (id: string, userId: string): Entry => {
    tidy()
    const entry = entries.get(id)
    if (entry?.request.actor.userId !== userId) throw notFoundError.create({ what: 'sign-in' })
    return entry
  }
  const makeEntry = (request: SignInRequest, lifeMs: number, members: Partial<SignInView>): Entry => {
    const entry: Entry = {
      request,
      stop: new AbortController(),
      view: {
        ...{ sign_in_id: uuid(), kind: request.settings.kind, brand: request.brand, state: 'pending' },
        ...members,
        expires_at: new Date(clock.now() + lifeMs).toISOString(),
        ...(request.credentialId !== undefined && { credential_id: request.credentialId }),
      },
    }
    entries.set(entry.view.sign_in_id, entry)
    return entry
  }

  return {
    async begin(request, { signal }) {
      tidy()
      const { settings, brand } = request
      const refuseTooMany = (): void => {
        if ([...entries.values()].filter(({ view }) => view.state === 'pending').length >= mostPending)
          throw signInsTooManyError.create({ limit: mostPending })
      }
      refuseTooMany()
      if (settings.kind === 'device') {
        const code = await requestDeviceCode(settings, ask, { signal })
        if (typeof code === 'string') throw signInUnavailableError.create({ brand, reason: code })
        refuseTooMany()
        const entry = makeEntry(request, code.lifeMs, { user_code: code.userCode, verification_url: code.verificationUrl })
        const { view } = entry
        background(entry, async () => settle(entry, await pollForTokens(settings, code, { ask, clock, signal: entry.stop.signal })))
        return view
      }
      const flow = beginBrowserFlow(settings, settings.redirect_url ?? callbackUrl())
      const entry = makeEntry(request, browserMs, {
        authorization_url: flow.authorizationUrl,
        returns_here: settings.redirect_url === undefined,
      })
      entry.finish = {
        state: flow.state,
        use: async (redirect) => settle(entry, await exchangeCode(settings, flow, redirect, { ask, signal: entry.stop.signal })),
      }
      background(entry, async () => {
        await clock.wait(browserMs, { signal: entry.stop.signal })
        fail(entry, 'expired')
      })
      return entry.view
    },
    get: (id, userId) => entryOf(id, userId).view,
    cancel(id, userId) {
      const entry = entryOf(id, userId)
      cancelEntry(entry)
      return entry.view
    },
    async complete(redirect, { userId, id }) {
      const entry = [...entries.values()].find(({ finish }) => finish !== undefined && finish.state === redirect.state)
      const isTheirs = entry?.request.actor.userId === userId && (id === undefined || entry.view.sign_in_id === id)
      const finish = entry?.finish
      if (!entry || !finish || !isTheirs) throw signInStateError.create({})
      delete entry.finish
      try {
        await finish.use(redirect)
      } catch (error) {
        if (!entry.stop.signal.aborted) fail(entry, 'unavailable')
        throw error
      } finally {
        entry.stop.abort(new DOMException('The sign-in has ended.', 'AbortError'))
      }
      return entry.view
    },
    async close() {
      for (const entry of entries.values()) cancelEntry(entry)
      await Promise.allSettled(work)
    },
  }
}
