import { defineError } from '../core/errors.js'
import { onAbort } from './on-abort.js'
import { processTimers, type TimeSource } from './time-source.js'

/** A piece of work did not end within its limit. */
export const timeLimitError = defineError<{ readonly what: string; readonly limitMs: number }>({
  code: 'time_limit_exceeded',
  status: 504,
  title: 'Time limit exceeded',
  message: ({ what, limitMs }) => `${what} took longer than ${limitMs} ms. Try again later, or raise the limit.`,
})

/** Options of {@link withTimeLimit}. */
export interface TimeLimitOptions {
  /** In milliseconds. */
  readonly limitMs: number
  /** Ends the wait too, with its reason. Default: only the limit does. */
  readonly signal?: AbortSignal
  /** Default: the timers of the process. */
  readonly clock?: TimeSource
  /** The subject of the error's message. Default: `The work`. */
  readonly what?: string
  /** Makes the error. Default: {@link timeLimitError}. */
  readonly timedOut?: () => Error
}

/**
 * Runs a piece of work for at most `limitMs` and only until the signal is aborted. The work gets a
 * signal that is aborted in both cases; even if it ignores it, the wait ends at once: with what
 * `timedOut` makes, or with the signal's reason. A later failure of the work is handled. The work
 * is not started if the signal is already aborted, and neither timer nor listener remains.
 */
export async function withTimeLimit<T>(work: (signal: AbortSignal) => PromiseLike<T>, options: TimeLimitOptions): Promise<T> {
  const { limitMs, signal, clock = processTimers, what = 'The work' } = options
  const { timedOut = () => timeLimitError.create({ what, limitMs }) } = options
  signal?.throwIfAborted()
  const controller = new AbortController()
  let forget: () => void = () => undefined
  let cancel: () => void | Promise<void> = () => undefined
  try {
    return await new Promise<T>((resolve, reject) => {
      const stop = (reason: unknown): void => {
        reject(reason)
        controller.abort(reason)
      }
      forget = onAbort(signal, stop)
      cancel = clock.after(limitMs, () => stop(timedOut()))
      work(controller.signal).then(resolve, reject)
    })
  } finally {
    forget()
    await cancel()
  }
}
