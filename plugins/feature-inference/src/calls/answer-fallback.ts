import { type ServiceError, wellFormed } from '@agent-service/sdk'
import type { AnswerFallback } from '@agent-service/sdk/services/inference'
import { failureOf } from '../common/failure-of.js'
import type { Target } from '../targets/fallback-order.js'

/** The longest reason that an answer keeps, in UTF-16 code units. */
const maxDetail = 300

/**
 * What an answer of the next target says of those before it: the model that was wanted first and why
 * it failed, whatever happened to the ones between.
 */
export function answerFallback(
  before: AnswerFallback | undefined,
  { target, next, failure }: { readonly target: Target; readonly next: Target; readonly failure: ServiceError },
): AnswerFallback {
  const used = nameOf(next)
  if (before?.reason === 'model_failed') return { ...before, used }
  const { failure: kind, reason } = failureOf(failure)
  return { reason: 'model_failed', wanted: nameOf(target), used, failure: kind, detail: shortened(reason) }
}

const nameOf = ({ settings: { provider, model } }: Target): string => `${provider}/${model}`

/** In one line, as it is shown: vendors answer with JSON over many. */
function shortened(reason: string): string {
  const text = reason.replace(/\s+/g, ' ').trim()
  return wellFormed(text.length <= maxDetail ? text : `${text.slice(0, maxDetail - 1).trimEnd()}…`)
}
