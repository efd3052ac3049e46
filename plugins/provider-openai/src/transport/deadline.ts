import type { ModelTimeouts } from '@agent-service/sdk/contracts/provider-adapter'

/** Which wait was too long. */
export type ExpiredWait = 'first_token' | 'idle' | 'total'

const words: Readonly<Record<ExpiredWait, string>> = {
  first_token: 'no part of an answer came',
  idle: 'the answer paused',
  total: 'the call went on',
}

/** The limits of one call. Its signal aborts the upstream request when the caller's does, when a wait is too long, or at the end. */
export interface CallDeadline {
  readonly signal: AbortSignal
  /** Set once a wait was too long; a sentence for people. */
  readonly expired: string | undefined
  /** The first part of an answer came: from now on pauses count. */
  answered(): void
  /** Waits for the next bytes. Only this wait counts as a pause, not the time that the reader of the answer takes. */
  during<T>(wait: Promise<T>, limitMs?: number): Promise<T>
  /** Ends the request if it still runs, and every timer. */
  close(): void
}

/** Starts the clock of one call. */
export function startDeadline(timeouts: ModelTimeouts, signal: AbortSignal): CallDeadline {
  const controller = new AbortController()
  let expired: string | undefined
  let isAnswered = false

  const expire = (wait: ExpiredWait, limitMs: number): void => {
    expired ??= `${words[wait]} for more than ${limitMs} ms`
    controller.abort(new DOMException(expired, 'TimeoutError'))
  }
  const total = setTimeout(() => expire('total', timeouts.totalMs), timeouts.totalMs)
  const firstToken = setTimeout(() => expire('first_token', timeouts.firstTokenMs), timeouts.firstTokenMs)
  const onAbort = (): void => controller.abort(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })

  return {
    signal: controller.signal,
    get expired() {
      return expired
    },
    answered() {
      isAnswered = true
      clearTimeout(firstToken)
    },
    async during(wait, limitMs = timeouts.idleMs) {
      if (!isAnswered) return await wait
      const idle = setTimeout(() => expire('idle', limitMs), limitMs)
      try {
        return await wait
      } finally {
        clearTimeout(idle)
      }
    },
    close() {
      clearTimeout(total)
      clearTimeout(firstToken)
      signal.removeEventListener('abort', onAbort)
      controller.abort(new DOMException('The call ended.', 'AbortError'))
    },
  }
}
