import { createSignal } from 'solid-js'
import { placed } from '../core/base.js'
import { withLock } from '../core/locks.js'
import { readEvents, type StreamEvent } from './event-stream.js'
import { foreignAnswer, isPage, problemOf } from './problem.js'

/** How the stream is doing. `applying`: the service restarts in place, and has said so. */
export type StreamState = 'connecting' | 'live' | 'reconnecting' | 'applying' | 'signed_out'

type Shared = { readonly kind: 'event'; readonly event: StreamEvent } | { readonly kind: 'state'; readonly state: StreamState }

const channelName = 'console.events'
const lockName = 'console.events'
const maxPauseMs = 30_000
/** Between two attempts to get the lock, should the browser refuse it. */
const lockPauseMs = 5_000
/** After that an announced restart counts as a lost connection. */
const maxApplyingMs = 10_000
/** The service sends a comment every 15 seconds. */
const maxSilenceMs = 45_000

const [state, setState] = createSignal<StreamState>('connecting')
const handlers = new Map<string, Set<(event: never) => void>>()
let lastId = ''
let streamOf = ''
let stopRunning: (() => void) | undefined

/** How the stream of this browser is; all its tabs agree. */
export const streamState = state

/** Whether the service is back, after a lost connection or an announced restart. */
export const cameBack = (now: StreamState, before: StreamState | undefined): boolean =>
  now === 'live' && (before === 'reconnecting' || before === 'applying')

/** Calls a function for each event of a name, in order, whichever tab holds the connection. Returns the undo. */
export function addHandler(name: string, handle: (event: never) => void): () => void {
  const all = handlers.get(name) ?? new Set()
  handlers.set(name, all)
  all.add(handle)
  return () => void all.delete(handle)
}

/**
 * Starts the stream of the person who is signed in. All tabs of the browser share one connection:
 * the tab with the lock has it and passes events on; when that tab closes, another one continues
 * after the last event that it has seen. The same person's stream continues where it stopped.
 */
export function startEvents(userId: string): void {
  stopEvents()
  if (streamOf !== userId) lastId = ''
  streamOf = userId
  const controller = new AbortController()
  const channel = new BroadcastChannel(`${channelName}.${userId}`)
  channel.addEventListener('message', ({ data }: MessageEvent<Shared>) => receive(data))
  const share = (message: Shared): void => {
    receive(message)
    channel.postMessage(message)
  }
  stopRunning = () => {
    controller.abort()
    channel.close()
  }
  void takeTurn(`${lockName}.${userId}`, (lost) => keepConnected(share, lost), controller.signal)
}

/**
 * Waits for the lock and holds it while it leads, until the signal is aborted. Should the browser
 * refuse the lock, the failure is reported and it is asked for again.
 */
async function takeTurn(lock: string, lead: (lost: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await withLock(lock, lead, { signal })
    } catch (cause) {
      if (signal.aborted) return
      reportError(cause)
      setState('reconnecting')
      await pause(lockPauseMs, signal)
    }
  }
}

export function stopEvents(): void {
  stopRunning?.()
  stopRunning = undefined
  setState('connecting')
}

/** Takes an event as if it had come over the connection: for tests of components. */
export const deliverEvent = (event: StreamEvent): void => receive({ kind: 'event', event })

/** Takes a state of the connection as if it had come so far: for tests of components. */
export const standInStreamState = (now: StreamState): void => receive({ kind: 'state', state: now })

function receive(message: Shared): void {
  if (message.kind === 'state') return void setState(message.state)
  if (message.event.id !== '') lastId = message.event.id
  if (state() !== 'live') setState('live')
  for (const handle of handlers.get(message.event.event) ?? []) callHandler(handle as (event: StreamEvent) => void, message.event)
}

/** A handler that throws is reported like any uncaught error, and breaks neither others nor the stream. */
function callHandler(handle: (event: StreamEvent) => void, event: StreamEvent): void {
  try {
    handle(event)
  } catch (cause) {
    reportError(cause)
  }
}

async function keepConnected(share: (message: Shared) => void, signal: AbortSignal): Promise<void> {
  let pauseMs = 0
  let applyingUntil = 0
  while (!signal.aborted) {
    try {
      const end = await connect(share, signal, (milliseconds) => {
        pauseMs = milliseconds
      })
      applyingUntil = end === 'restarting' ? Date.now() + maxApplyingMs : 0
      pauseMs = Math.max(pauseMs, 250)
    } catch {
      pauseMs = Math.min(maxPauseMs, Math.max(500, pauseMs * 2))
    }
    if (signal.aborted) return
    if (state() !== 'signed_out') share({ kind: 'state', state: Date.now() < applyingUntil ? 'applying' : 'reconnecting' })
    await pause(pauseMs, signal)
  }
}

/** One connection. Resolves with the reason of the service for its end, and rejects when it breaks or falls silent. */
async function connect(
  share: (message: Shared) => void,
  signal: AbortSignal,
  onRetry: (milliseconds: number) => void,
): Promise<string | undefined> {
  let reason: string | undefined
  const silence = new AbortController()
  const giveUp = (): void => silence.abort()
  let timer = setTimeout(giveUp, maxSilenceMs)
  const stillThere = (): void => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, maxSilenceMs)
  }
  // A connection that was open when the network went away only falls silent.
  window.addEventListener('offline', giveUp)
  try {
    const response = await fetch(placed('/api/events'), {
      headers: { accept: 'text/event-stream', ...(lastId !== '' && { 'last-event-id': lastId }) },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (response.status === 401) {
      const problem = await problemOf(response)
      if (problem.status !== 401) throw problem
      share({ kind: 'state', state: 'signed_out' })
      return undefined
    }
    if (isPage(response.headers.get('content-type'))) throw foreignAnswer()
    if (!response.ok || !response.body) throw new Error(`The event stream was answered with ${response.status}.`)
    // Without an event to go on from, what was sent meanwhile is lost.
    const isUnknown = state() !== 'connecting' && lastId === ''
    share({ kind: 'state', state: 'live' })
    if (isUnknown) share({ kind: 'event', event: { id: '', event: 'reset', data: {} } })
    // Failures before this connection say nothing about the next one.
    onRetry(0)
    const watched = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, out) {
          stillThere()
          out.enqueue(chunk)
        },
      }),
    )
    for await (const event of readEvents(watched, onRetry)) {
      if (event.event === 'closing') reason = (event.data as { readonly reason?: string }).reason
      else share({ kind: 'event', event })
    }
    return reason
  } finally {
    clearTimeout(timer)
    window.removeEventListener('offline', giveUp)
  }
}

/** Waits, shorter when the network comes back. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds * (0.75 + Math.random() / 2))
    window.addEventListener('online', done)
    signal.addEventListener('abort', done)
  })
}
