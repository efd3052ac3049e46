import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import {
  type CredentialSummary,
  credentialExistsError,
  credentialNotFoundError,
  type OAuthTokens,
  type SignIn,
  type SignInRedirect,
  type SignInRequest,
  signInStateError,
  signInsTooManyError,
  signInUnavailableError,
} from '@agent-service/sdk/services/credentials'
import { v7 as uuid } from 'uuid'
import type { PostForm } from '../server/post-form.js'
import { problemWithIdToken, readTokens } from '../server/read-tokens.js'
import type { CredentialStore } from '../store/credential-store.js'
import { type StoredCredential, summaryOf } from '../store/stored-credential.js'
import { beginCodeFlow, exchangeCode } from './code-flow.js'
import { type FlowResult, pollForTokens, requestDeviceCode } from './device-flow.js'

/** How long a person may take in the browser, and how long the result of a sign-in is kept. */
const browserMs = 15 * 60_000
const retentionMs = 15 * 60_000
const maxPendingPerUser = 20
const maxPending = 1_000
/** Including those that have ended. */
const maxEntries = 5_000

/** A sign-in for a plugin. */
export interface PluginSignInRequest extends SignInRequest {
  readonly pluginId: string
  readonly completed?: ((credential: CredentialSummary) => Promise<void>) | undefined
}

/** The caller who reads a sign-in. */
export interface SignInReader {
  /** The person who began it. */
  readonly userId: string
  /** The plugin that began it; any plugin if absent. */
  readonly pluginId?: string
}

/**
 * The pending sign-ins of this process. A restart ends them, and people have to begin them again.
 * Only the person who began a sign-in can see and complete it.
 */
export interface SignIns {
  /** @throws `sign_in_unavailable`, `sign_ins_too_many`, `credential_not_found`. */
  begin(request: PluginSignInRequest, options: { readonly signal: AbortSignal }): Promise<SignIn>
  /** `undefined` for one that this person did not begin through this plugin. */
  get(id: string, reader: SignInReader): SignIn | undefined
  /** Has no effect on a sign-in that has ended. */
  cancel(id: string, reader: SignInReader): SignIn | undefined
  /**
   * Completes a sign-in, once, by the state of the redirect; with `id` only that sign-in. @throws
   * `sign_in_state_invalid`.
   */
  complete(redirect: SignInRedirect, by: SignInReader & { readonly id?: string }): Promise<SignIn>
  /** Cancels those that one user began, or whose credential would be theirs. */
  cancelOf(userId: string): void
  /** Cancels all of them. */
  close(): Promise<void>
}

interface Entry {
  readonly request: PluginSignInRequest
  view: SignIn
  readonly stop: AbortController
  /** In the browser: the expected redirect, until it is used. */
  finish?: { readonly state: string; use(redirect: SignInRedirect): Promise<void> }
  /** In milliseconds since 1970. */
  endedAt?: number
}

/** What sign-ins depend on. */
export interface SignInDependencies {
  readonly store: CredentialStore
  readonly postForm: PostForm
  readonly clock: Clock
  readonly log: Logger
  /** The redirect address unless the plugin sets its own. */
  readonly callbackUrl: () => string
}

export function createSignIns(dependencies: SignInDependencies): SignIns {
  const { clock } = dependencies
  const entries = new Map<string, Entry>()
  const work = new Set<Promise<void>>()
  const entryOf = (id: string, { userId, pluginId }: SignInReader): Entry | undefined => {
    forgetEnded(entries, clock.now())
    const entry = entries.get(id)
    return entry?.request.userId === userId && (pluginId === undefined || entry.request.pluginId === pluginId) ? entry : undefined
  }
  return {
    async begin(request, { signal }) {
      forgetEnded(entries, clock.now())
      refuseTooMany(entries, request)
      await checkCredentialOf(request, dependencies.store)
      const entry =
        request.flow === 'device'
          ? await beginWithCode(request, { entries, work, signal, ...dependencies })
          : beginInBrowser(request, { entries, work, ...dependencies })
      return entry.view
    },
    get: (id, reader) => entryOf(id, reader)?.view,
    cancel(id, reader) {
      const entry = entryOf(id, reader)
      if (entry) cancelEntry(entry, clock.now())
      return entry?.view
    },
    async complete(redirect, { id, ...reader }) {
      const found = [...entries.values()].find(({ finish }) => finish !== undefined && finish.state === redirect.state)
      const entry = found && entryOf(found.view.id, reader)
      const finish = entry?.finish
      if (!entry || !finish || (id !== undefined && entry.view.id !== id)) throw signInStateError.create({})
      delete entry.finish
      try {
        await finish.use(redirect)
      } catch (error) {
        if (!entry.stop.signal.aborted) end(entry, { state: 'failed', reason: 'unavailable' }, clock.now())
        throw error
      } finally {
        entry.stop.abort(new DOMException('The sign-in has ended.', 'AbortError'))
      }
      return entry.view
    },
    cancelOf(userId) {
      for (const entry of entries.values()) {
        const { owner } = entry.request
        if (entry.request.userId === userId || (owner !== 'deployment' && owner.userId === userId)) cancelEntry(entry, clock.now())
      }
    },
    async close() {
      for (const entry of entries.values()) cancelEntry(entry, clock.now())
      await Promise.allSettled(work)
    },
  }
}

type Context = SignInDependencies & { readonly entries: Map<string, Entry>; readonly work: Set<Promise<void>> }

async function beginWithCode(request: PluginSignInRequest, context: Context & { readonly signal: AbortSignal }): Promise<Entry> {
  const { client, owner } = request
  const { postForm, clock, entries, signal } = context
  const code = await requestDeviceCode(client, { postForm, owner, signal })
  if (typeof code === 'string') throw unavailable(client.deviceUrl ?? client.tokenUrl, code)
  // Others may have begun in the meantime.
  refuseTooMany(entries, request)
  const entry = addEntry(request, code.lifeMs, { userCode: code.userCode, verificationUrl: code.verificationUrl }, context)
  inBackground(entry, context, async () =>
    settle(entry, await pollForTokens(client, code, { postForm, owner, clock, signal: entry.stop.signal }), undefined, context),
  )
  return entry
}

function beginInBrowser(request: PluginSignInRequest, context: Context): Entry {
  const { client, owner } = request
  const { postForm, clock, callbackUrl } = context
  if (client.authorizationUrl === undefined) throw unavailable(client.tokenUrl, 'it has no sign-in page')
  const flow = beginCodeFlow(client, client.authorizationUrl, request.redirectUrl ?? callbackUrl())
  const entry = addEntry(request, browserMs, { authorizationUrl: flow.authorizationUrl }, context)
  entry.finish = {
    state: flow.state,
    use: async (redirect) =>
      settle(entry, await exchangeCode(client, flow, redirect, { postForm, owner, signal: entry.stop.signal }), flow.nonce, context),
  }
  inBackground(entry, context, async () => {
    await clock.wait(browserMs, { signal: entry.stop.signal })
    end(entry, { state: 'failed', reason: 'expired' }, clock.now())
  })
  return entry
}

/** Turns the result of a flow into a credential. */
async function settle(entry: Entry, result: FlowResult, nonce: string | undefined, { store, clock }: Context): Promise<void> {
  const now = clock.now()
  const fail = (reason: NonNullable<SignIn['reason']>, detail?: string): void =>
    end(entry, { state: 'failed', reason, ...(detail !== undefined && { detail }) }, clock.now())
  if (result.kind === 'failed') return fail(result.reason, result.detail)
  const { client } = entry.request
  const problem = problemWithIdToken(result.body, client, { nonce, now })
  if (problem !== undefined) return fail('refused', problem)
  const tokens = readTokens(result.body, client, { now })
  if ('unusable' in tokens) return fail('refused', tokens.unusable)
  // Cancelled before the server responded.
  if (entry.view.state !== 'pending') return
  const stored = await storeTokens(entry.request, tokens, store)
  if (!stored) return fail('refused', 'the credential that signs in again was deleted')
  const credential = summaryOf(stored)
  // Cancelled while it was stored.
  if (entry.view.state !== 'pending') {
    const { again, pluginId, owner } = entry.request
    if (again === undefined) await store.delete({ pluginId, owner, id: credential.id })
    return
  }
  end(entry, { state: 'completed', credentialId: credential.id }, clock.now())
  await entry.request.completed?.(credential)
}

function storeTokens(request: PluginSignInRequest, tokens: OAuthTokens, store: CredentialStore): Promise<StoredCredential | undefined> {
  const { client, again, owner, pluginId } = request
  const content = { kind: 'oauth', client, tokens } as const
  const by = { signedInBy: request.userId }
  return again === undefined ? store.create({ ...request, ...by, content }) : store.replace({ pluginId, owner, id: again }, content, by)
}

/**
 * @throws `credential_not_found` if the account to renew does not exist, `credential_exists` for a
 * taken id.
 */
async function checkCredentialOf({ pluginId, owner, again, id }: PluginSignInRequest, store: CredentialStore): Promise<void> {
  if (again !== undefined && !(await store.find({ pluginId, owner, id: again }))) throw credentialNotFoundError.create({ id: again })
  if (again === undefined && id !== undefined && (await store.find({ pluginId, owner, id }))) throw credentialExistsError.create({ id })
}

/** Runs a flow independently of the request. */
function inBackground(entry: Entry, { work, log, clock }: Context, flow: () => Promise<void>): void {
  const running = flow()
    .catch((error: unknown) => {
      if (entry.stop.signal.aborted) return
      log.error('A sign-in failed.', { plugin: entry.request.pluginId, purpose: entry.request.purpose, error })
      end(entry, { state: 'failed', reason: 'unavailable' }, clock.now())
    })
    .finally(() => work.delete(running))
  work.add(running)
}

function addEntry(request: PluginSignInRequest, lifeMs: number, members: Partial<SignIn>, { entries, clock }: Context): Entry {
  const { flow, again, details = {} } = request
  const view: SignIn = {
    ...{ id: uuid(), details, flow, state: 'pending' },
    ...members,
    expiresAt: clock.now() + lifeMs,
    ...(again !== undefined && { credentialId: again }),
  }
  const entry: Entry = { request, stop: new AbortController(), view }
  entries.set(view.id, entry)
  return entry
}

function end(entry: Entry, members: Partial<SignIn>, now: number): void {
  if (entry.view.state !== 'pending') return
  entry.view = { ...entry.view, ...members }
  entry.endedAt = now
  delete entry.finish
}

function cancelEntry(entry: Entry, now: number): void {
  end(entry, { state: 'cancelled' }, now)
  entry.stop.abort(new DOMException('The sign-in was cancelled.', 'AbortError'))
}

function forgetEnded(entries: Map<string, Entry>, now: number): void {
  for (const [id, { endedAt }] of entries)
    if (endedAt !== undefined && (now - endedAt > retentionMs || entries.size > maxEntries)) entries.delete(id)
}

function refuseTooMany(entries: ReadonlyMap<string, Entry>, { userId }: PluginSignInRequest): void {
  const pending = [...entries.values()].filter(({ view }) => view.state === 'pending')
  if (pending.length >= maxPending) throw signInsTooManyError.create({ limit: maxPending })
  if (pending.filter(({ request }) => request.userId === userId).length >= maxPendingPerUser)
    throw signInsTooManyError.create({ limit: maxPendingPerUser })
}

const unavailable = (url: string, reason: string): Error => signInUnavailableError.create({ server: new URL(url).host, reason })
