import type { Schemas } from '../api/index.js'

/** How a turn without a whole answer ended: why it failed, or that it was stopped before its first word. */
export type TurnEnd = { readonly kind: 'failed'; readonly failure: Schemas['Failure'] } | { readonly kind: 'stopped' | 'no_answer' }

/** How a run ended. `saysNothing`: nothing of an answer is shown. Undefined: there is nothing to say about it. */
export function endOfTurn(run: Schemas['Run'] | undefined, { saysNothing }: { readonly saysNothing: boolean }): TurnEnd | undefined {
  if (run?.status === 'failed' && run.failure) return { kind: 'failed', failure: run.failure }
  if (run?.status === 'cancelled') return saysNothing ? { kind: 'stopped' } : undefined
  return undefined
}
