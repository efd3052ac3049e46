import { onAbort } from '@agent-service/sdk/async'

/** A signal that ends with the first of others, until it is released. */
export interface JoinedSignal {
  readonly signal: AbortSignal
  /** Leaves nothing at the others. */
  release(): void
}

/**
 * Joins signals, of which some outlive what the result is for: Node.js 20 keeps each result of
 * `AbortSignal.any` as long as the signals that it was made from.
 */
export function joinSignals(...signals: readonly AbortSignal[]): JoinedSignal {
  const controller = new AbortController()
  const undo = signals.map((each) => onAbort(each, (reason) => controller.abort(reason)))
  return {
    signal: controller.signal,
    release: () => {
      for (const remove of undo) remove()
    },
  }
}
