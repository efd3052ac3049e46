import { batch, createEffect, createRoot, createSignal } from 'solid-js'
import { api, onSessionEnd, send } from '../api/client.js'
import { startEvents, stopEvents, streamState } from '../api/events.js'
import { isProblem, problemOf } from '../api/problem.js'
import type { AnswerOf } from '../api/types.js'
import { ownName, placed } from '../core/base.js'
import { withLock } from '../core/locks.js'
import { currentSubscription } from '../core/service-worker.js'
import { recall, remember } from '../core/storage.js'
import { followLanguage } from '../i18n/language.js'
import { showTimesIn } from '../i18n/zone.js'
import { prepareScreen } from './prepare-screen.js'
import { currentPath, navigate, takePlace } from './router.js'

/** Who is signed in, as `GET /api/auth/me` says it. */
export type Profile = AnswerOf<'get', '/api/auth/me'>
export type SignInOptions = AnswerOf<'get', '/api/auth/config'>

/**
 * Whether someone is signed in. `expired`: the session ended while the console was open; the
 * screen stays, and a dialog asks for the password.
 */
export type SessionState = 'loading' | 'unreachable' | 'signed_out' | 'signed_in' | 'expired'

const [state, setState] = createSignal<SessionState>('loading')
const [profile, setProfile] = createSignal<Profile>()
const [options, setOptions] = createSignal<SignInOptions>()

/** Follows sign-in, sign-out and the end of the session, in whichever tab they happen. */
export const sessionState = state
/** The account of the person who is signed in; `undefined` for nobody. Screens run after sign-in, and may count on it. */
export const currentProfile = profile
/** The ways to sign in; known unless the state is `loading` or `unreachable`. */
export const signInOptions = options
/** Whether the person administrates the service. It decides what is offered; what is allowed, the service decides. */
export const isAdmin = (): boolean => profile()?.role === 'admin'

const refreshEveryMs = 24 * 60 * 60 * 1000
const tabs = new BroadcastChannel(ownName('console.session'))
let waiting: { readonly promise: Promise<boolean>; readonly settle: (renewed: boolean) => void } | undefined

/** Finds out who is signed in, and keeps the session alive. */
export async function startSession(): Promise<void> {
  onSessionEnd(waitForSignIn)
  tabs.addEventListener('message', ({ data }: MessageEvent<'signed_in' | 'signed_out'>) => void onOtherTab(data))
  setInterval(() => void keepAlive(), 60 * 60 * 1000)
  addEventListener('pageshow', (event) => void onReturn(event))
  createRoot(() =>
    createEffect(() => {
      if (streamState() === 'signed_out') void waitForSignIn()
    }),
  )
  const secret = takeDemoSecret()
  if (secret === undefined || !(await enterDemo(secret))) await openSession()
}

/**
 * The secret in the link of the demo, `/#demo=…`. It leaves the address bar and the history at once;
 * browsers send what is behind the `#` to no server.
 */
function takeDemoSecret(): string | undefined {
  const secret = new URLSearchParams(location.hash.slice(1)).get('demo') ?? undefined
  if (secret !== undefined) history.replaceState(null, '', `${location.pathname}${location.search}`)
  return secret
}

const [refusedLink, setRefusedLink] = createSignal(false)

/** The link of the demo did not sign in. */
export const demoLinkRefused = refusedLink

/** Signs in with the link of the demo and opens the start page. False if the link is void. */
async function enterDemo(secret: string): Promise<boolean> {
  try {
    await send('post', '/api/auth/demo', { body: { token: secret } })
    setOptions(await api.get('/api/auth/config'))
    const found = await currentUser()
    if (!found) return false
    await navigate('/', { replace: true })
    adopt(found)
    tabs.postMessage('signed_in')
    return true
  } catch {
    setRefusedLink(true)
    return false
  }
}

/** Asks again who is signed in; at the start and after the service could not be reached. */
export async function openSession(): Promise<void> {
  if (state() !== 'unreachable') setState('loading')
  try {
    const found = await api.get('/api/auth/config')
    if (!found.signed_in) {
      setOptions(found)
      return void setState('signed_out')
    }
    await keepAlive()
    // Asked for before the files of screens are, which would take all connections.
    const reading = currentUser()
    setOptions(found)
    adopt(await reading)
    // For tabs whose session has ended: this one may come back from single sign-on.
    tabs.postMessage('signed_in')
  } catch {
    setState('unreachable')
  }
}

/** The profile of the person who is signed in. Does not wait for a sign-in. */
async function currentUser(): Promise<Profile | undefined> {
  const response = await fetch(placed('/api/auth/me'), { credentials: 'same-origin', headers: { accept: 'application/json' } })
  if (response.ok) return (await response.json()) as Profile
  const problem = await problemOf(response)
  if (problem.status === 401) return undefined
  throw problem
}

function adopt(found: Profile | undefined): void {
  if (!found) return void setState('signed_out')
  // Another person signed in: what is on the screen is not theirs.
  const before = profile()
  if (before && before.id !== found.id) {
    location.reload()
    return
  }
  takeProfile(found)
  setState('signed_in')
  startEvents(found.id)
}

/**
 * Takes over a session that signing in or up has begun, in all tabs. The page of signing in stays until the console can be
 * shown in its place, at the path `next`, or else where it is.
 */
export async function sessionBegan(next?: string): Promise<void> {
  const found = await currentUser()
  // The browser refused the cookie: over plain HTTP it keeps none, except on the machine itself.
  if (!found) throw new CookieRefusedError('The browser did not keep the session.')
  remember('refreshed', String(Date.now()))
  setOptions(await api.get('/api/auth/config'))
  await prepareScreen(next ?? currentPath())
  // At once: the page of signing up would be made again in the frame of the console, and ask about an invitation that is used.
  batch(() => {
    if (next !== undefined) takePlace(next)
    adopt(found)
  })
  waiting?.settle(true)
  waiting = undefined
  tabs.postMessage('signed_in')
}

/** The service signed the person in, but the browser did not keep the cookie, such as over plain http. */
export class CookieRefusedError extends Error {}

/**
 * Signs in by password, in all tabs. @throws {@link ApiProblem} with the reason of the service
 * @throws {@link CookieRefusedError}
 */
export async function signIn(username: string, password: string): Promise<void> {
  await api.post('/api/auth/login', { body: { username, password } })
  await sessionBegan()
}

/** Ends the session in all tabs, takes the notifications of this browser back, and loads the page anew. @throws {@link ApiProblem} if the session goes on */
export async function signOut(): Promise<void> {
  await api.post('/api/auth/logout')
  tabs.postMessage('signed_out')
  await endPush()
  leave()
}

const maxPushEndMs = 2_000

/** The service has let the device go with the session; here the browser does, if it can do so at once. */
async function endPush(): Promise<void> {
  if (recall('push') === undefined) return
  remember('push', undefined)
  const end = async () => (await currentSubscription())?.unsubscribe()
  await Promise.race([end().catch(reportError), new Promise((resolve) => setTimeout(resolve, maxPushEndMs))])
}

/** Gives up on an expired session: what was typed is discarded. */
export function leave(): void {
  stopEvents()
  waiting?.settle(false)
  waiting = undefined
  location.assign(placed('/'))
}

/** Shows a person as signed in, or nobody, without asking the service: for tests of components. */
export function standInSession(found: Profile | undefined): void {
  if (found) takeProfile(found)
  else setProfile(undefined)
  setState(found ? 'signed_in' : 'signed_out')
}

function takeProfile(found: Profile): void {
  showTimesIn(found.timezone)
  followLanguage(found.language)
  setProfile(found)
}

/** Reads the account of the person again, after a change of it. @throws {@link ApiProblem} */
export async function reloadProfile(): Promise<void> {
  takeProfile(await api.get('/api/auth/me'))
}

/**
 * For requests that find the session ended: all wait for one sign-in. Before the person is asked,
 * the refresh cookie is tried, in one flight for all tabs.
 */
function waitForSignIn(): Promise<boolean> {
  if (state() !== 'signed_in' && state() !== 'expired') return Promise.resolve(false)
  if (waiting) return waiting.promise
  let settle: (renewed: boolean) => void = () => undefined
  const promise = new Promise<boolean>((resolve) => {
    settle = resolve
  })
  waiting = { promise, settle }
  stopEvents()
  setState('expired')
  return promise
}

async function onOtherTab(message: 'signed_in' | 'signed_out'): Promise<void> {
  if (message === 'signed_out') return leave()
  if (state() === 'signed_in') return
  const found = await currentUser().catch(() => undefined)
  if (!found) return
  adopt(found)
  waiting?.settle(true)
  waiting = undefined
}

/**
 * By the browser's way back, which keeps whole pages: one of a session that has ended, or of another
 * person, is not shown. The stream of events has stopped meanwhile.
 */
async function onReturn({ persisted }: PageTransitionEvent): Promise<void> {
  const before = profile()
  if (!persisted || !before || state() !== 'signed_in') return
  const found = await currentUser().catch(() => before)
  if (found?.id !== before.id) return location.reload()
  startEvents(before.id)
}

/**
 * Renews the refresh cookie once a day: it lasts a week from its last renewal. One tab does it for
 * all, so that no replaced cookie is sent.
 */
async function keepAlive(): Promise<void> {
  await withLock(ownName('console.refresh'), async () => {
    const last = Number(recall('refreshed') ?? 0)
    // A clock that was ahead is no reason to wait for that time.
    if (Math.abs(Date.now() - last) < refreshEveryMs || state() === 'signed_out' || state() === 'expired') return
    try {
      await api.post('/api/auth/refresh')
      remember('refreshed', String(Date.now()))
    } catch (error) {
      if (!isProblem(error)) throw error
      if (error.status === 0) throw error
    }
  })
}
