import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { readQuirks } from './quirks.js'

/** An optional feature of requests that a model may refuse. */
export type Ability = 'cachePoint' | 'outputConfig' | 'status'

/** How many refusals are remembered at most. */
const memoryLimit = 512

/** The wording of refusals for each ability. */
const refusals: Readonly<Record<Ability, RegExp>> = {
  cachePoint: /cache ?points?|prompt caching/i,
  outputConfig: /output_?config|text_?format|structured outputs?/i,
  status: /(tool ?results?|tool_result).{0,200}\bstatus\b|\bstatus\b.{0,200}(tool ?results?|tool_result)|\bstatus field\b/i,
}

/** Remembers what models have refused; it is left out from then on. */
export interface AbilityMemory {
  has(request: ModelRequest, ability: Ability): boolean
  /**
   * Examines a refused request. True if it concerned an ability that was sent and is left out from
   * now on.
   */
  learn(request: ModelRequest, refusal: { readonly status: number; readonly text: string }): boolean
}

/** Makes an empty memory. */
export function createAbilityMemory(): AbilityMemory {
  const refused = new Set<string>()
  const keyOf = ({ connection, model }: ModelRequest, ability: Ability): string => JSON.stringify([connection.baseUrl, model, ability])

  const has = (request: ModelRequest, ability: Ability): boolean => {
    if (refused.has(keyOf(request, ability))) return false
    const quirks = readQuirks(request.connection.quirks)
    if (ability === 'cachePoint') return quirks.cachePointModels?.test(request.model) === true
    return ability === 'outputConfig' ? quirks.outputConfigModels?.test(request.model) === true : true
  }
  const sends = (request: ModelRequest, ability: Ability): boolean => {
    if (ability === 'outputConfig') return request.responseSchema !== undefined
    return (
      ability === 'cachePoint' || request.messages.some(({ role, content }) => role === 'tool' && content.some((part) => part.is_error))
    )
  }
  return {
    has,
    learn(request, { status, text }) {
      if (status !== 400) return false
      const ability = (Object.keys(refusals) as Ability[]).find(
        (candidate) => refusals[candidate].test(text.slice(0, 4_000)) && sends(request, candidate) && has(request, candidate),
      )
      if (ability === undefined) return false
      const oldest = refused.values().next()
      if (refused.size >= memoryLimit && !oldest.done) refused.delete(oldest.value)
      refused.add(keyOf(request, ability))
      return true
    },
  }
}
