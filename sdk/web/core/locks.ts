import { newId } from './new-id.js'

interface LockOptions {
  /** Stops waiting; what runs already gets it as its own signal. */
  readonly signal?: AbortSignal
  /** Does nothing if the lock is held. Default: waits for it. */
  readonly onlyIfFree?: boolean
}

/**
 * Runs something in one tab at a time. `lost` is aborted with `options.signal`, and when another tab
 * has taken over. Without the Web Locks API, which browsers keep from pages over plain http, the tabs agree
 * by messages: two of them may then run for a moment, and the signal of one is aborted.
 * @throws what `run` throws, and the reason of the signal if it was aborted while waiting.
 */
export async function withLock(name: string, run: (lost: AbortSignal) => Promise<void>, options: LockOptions = {}): Promise<void> {
  const { signal = new AbortController().signal, onlyIfFree = false } = options
  if (!('locks' in navigator)) return withAgreement(name, run, { signal, onlyIfFree })
  // The browser refuses both options together.
  const how = onlyIfFree ? { ifAvailable: true } : { signal }
  await navigator.locks.request(name, how, async (lock) => {
    if (lock) await run(signal)
  })
}

/** `ask`: who holds it? `held`: the sender does. `earlier`: the sender asks too, and began earlier. `free`: no longer held. */
interface Word {
  readonly kind: 'ask' | 'held' | 'earlier' | 'free'
  readonly by: string
}

/** How long holders have to answer. Messages reach tabs in the background at once, timers do not. */
const answerMs = 200
/** A holder that was killed says nothing of its end, so it is asked again. */
const askAgainMs = 3_000

/**
 * A lock without the Web Locks API: the tab that asks and is not answered has it, and of several that ask at
 * once the one that began first. Where two have it, since one did not answer in time or was frozen, the older
 * one keeps it.
 */
async function withAgreement(
  name: string,
  run: (lost: AbortSignal) => Promise<void>,
  { signal, onlyIfFree }: Required<LockOptions>,
): Promise<void> {
  const own = `${Date.now()}-${newId()}`
  const channel = new BroadcastChannel(`console.lock.${name}`)
  const lost = new AbortController()
  const say = (kind: Word['kind']): void => channel.postMessage({ kind, by: own } satisfies Word)
  let holds = false
  let asks = false
  let mustWait = false
  let onFree = (): void => undefined
  channel.addEventListener('message', ({ data: { kind, by } }: MessageEvent<Word>) => {
    if (kind === 'free') return onFree()
    if (kind === 'ask') {
      if (holds) say('held')
      else if (asks && own < by) say('earlier')
      return
    }
    if (kind === 'earlier') {
      // Every tab hears this answer, also the one that began before its sender and is to have the lock.
      if (by < own) mustWait = true
      return
    }
    mustWait = true
    if (!holds) return
    if (own < by) say('held')
    else lost.abort()
  })
  // A page that is kept for the way back does not answer either.
  const leave = (): void => {
    say('free')
    lost.abort()
  }
  addEventListener('pagehide', leave)
  try {
    for (;;) {
      mustWait = false
      asks = true
      say('ask')
      await passed(answerMs, signal)
      asks = false
      if (signal.aborted) throw signal.reason
      if (!mustWait) break
      if (onlyIfFree) return
      await new Promise<void>((resolve) => {
        onFree = resolve
        void passed(askAgainMs, signal).then(resolve)
      })
    }
    holds = true
    say('held')
    await run(AbortSignal.any([signal, lost.signal]))
  } finally {
    removeEventListener('pagehide', leave)
    if (holds) say('free')
    channel.close()
  }
}

/** After some time, or at once when the signal is aborted. */
function passed(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
