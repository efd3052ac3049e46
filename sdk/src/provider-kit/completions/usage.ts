import type { ModelUsage } from '../../contracts/provider-adapter/index.js'
import type { JsonObject } from '../../core/json.js'
import { costOf } from '../answers/cost.js'
import { isObject, listAt, numberAt, objectAt } from '../common/json.js'

/** The usage object of a chunk or an answer: at the root, beside a choice, or in `x_groq`. */
export function usageIn(chunk: JsonObject): JsonObject | undefined {
  const usage = objectAt(chunk, 'usage') ?? objectAt(listAt(chunk, 'choices')[0], 'usage') ?? objectAt(objectAt(chunk, 'x_groq'), 'usage')
  return usage && isObject(usage) && Object.keys(usage).length > 0 ? usage : undefined
}

/** Token usage. Wrong counts of a vendor are clamped, never negative. */
export function usageOf(raw: JsonObject): ModelUsage {
  const count = (value: number | undefined): number => Math.max(0, Math.round(value ?? 0))
  const input = count(numberAt(raw, 'prompt_tokens'))
  const completion = count(numberAt(raw, 'completion_tokens'))
  const reasoning = count(numberAt(objectAt(raw, 'completion_tokens_details'), 'reasoning_tokens'))
  const cached = count(
    numberAt(objectAt(raw, 'prompt_tokens_details'), 'cached_tokens') ??
      numberAt(raw, 'prompt_cache_hit_tokens') ??
      numberAt(raw, 'cached_tokens'),
  )
  // One vendor counts reasoning separately from the completion, which its total reveals.
  const apart = reasoning > 0 && numberAt(raw, 'total_tokens') === input + completion + reasoning
  const output = apart ? completion + reasoning : completion
  const written = count(numberAt(objectAt(raw, 'prompt_tokens_details'), 'cache_write_tokens'))
  const cost = costOf(raw)
  return {
    input_tokens: input,
    cached_input_tokens: Math.min(cached, input),
    ...(written > 0 && { cache_write_input_tokens: Math.min(written, input) }),
    output_tokens: output,
    reasoning_tokens: Math.min(reasoning, output),
    ...(cost !== undefined && { cost_usd: cost }),
  }
}
