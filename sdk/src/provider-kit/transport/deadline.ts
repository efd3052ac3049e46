import type { ExpiredWait, ModelTimeouts } from '../../contracts/provider-adapter/index.js'

type Wait = Exclude<ExpiredWait, 'connect'>

const words: Readonly<Record<Wait, string>> = {
  first_token: 'no part of an answer came',
  idle: 'the answer paused',
  total: 'the call continued',
}

/**
 * The limits of one call. Its signal aborts the upstream request when the caller's does, when a
 * wait is too long, or at the end.
 */
export interface CallDeadline {
  readonly signal: AbortSignal
  /** Set once a wait was too long; a sentence for people. */
  readonly expired: string | undefined
  /** Which one it was. */
  readonly expiredWait: ExpiredWait | undefined
  /** The first part of an answer came: from now on pauses count. May be called for every part. */
  answered(): void
  /**
   * The next bytes are waited for. Only the time until `arrived` counts as a pause, not the time
   * that the reader of the answer takes.
   */
  waiting(limitMs?: number): void
  /** The bytes came, or will not. */
  arrived(): void
  /** Ends the timer, and the request unless its answer has been read to the end. */
  close(options: { readonly wholeAnswerRead: boolean }): void
}

interface Limit {
  readonly wait: Wait
  readonly limitMs: number
  /** In milliseconds of `performance.now()`. */
  readonly due: number
}

/**
 * Starts the clock of one call. One timer serves all limits: it is set to the earliest possible end
 * of one, and then checks what is waited for, so that a piece of an answer never touches a timer.
 */
export function startDeadline(timeouts: ModelTimeouts, signal: AbortSignal): CallDeadline {
  const controller = new AbortController()
  const started = performance.now()
  let expired: string | undefined
  let expiredWait: ExpiredWait | undefined
  let isAnswered = false
  let waitingSince: number | undefined
  let idleMs = timeouts.idleMs
  let timer: NodeJS.Timeout | undefined
  let wakesAt = Number.POSITIVE_INFINITY

  const totalLimit: Limit = { wait: 'total', limitMs: timeouts.totalMs, due: started + timeouts.totalMs }
  const pauseLimit = (now: number): Limit => {
    if (!isAnswered) return { wait: 'first_token', limitMs: timeouts.firstTokenMs, due: started + timeouts.firstTokenMs }
    // Nothing is waited for: the earliest limit is that of a pause that begins now.
    return { wait: 'idle', limitMs: idleMs, due: (waitingSince ?? now) + idleMs }
  }
  const setTimer = (due: number, now: number): void => {
    clearTimeout(timer)
    wakesAt = due
    timer = setTimeout(look, Math.max(1, Math.ceil(due - now)))
  }
  const look = (): void => {
    const now = performance.now()
    const pause = pauseLimit(now)
    const next = pause.due < totalLimit.due ? pause : totalLimit
    if (next.due > now) {
      setTimer(next.due, now)
      return
    }
    wakesAt = Number.POSITIVE_INFINITY
    expiredWait = next.wait
    expired = `${words[next.wait]} for more than ${next.limitMs} ms`
    controller.abort(new DOMException(expired, 'TimeoutError'))
  }
  const onAbort = (): void => controller.abort(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  look()

  return {
    signal: controller.signal,
    get expired() {
      return expired
    },
    get expiredWait() {
      return expiredWait
    },
    answered() {
      isAnswered = true
    },
    waiting(limitMs = timeouts.idleMs) {
      if (!isAnswered || expired !== undefined) return
      waitingSince = performance.now()
      idleMs = limitMs
      if (waitingSince + limitMs < wakesAt) setTimer(waitingSince + limitMs, waitingSince)
    },
    arrived() {
      waitingSince = undefined
    },
    close({ wholeAnswerRead }) {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      if (!wholeAnswerRead) controller.abort(new DOMException('The call ended.', 'AbortError'))
    },
  }
}
