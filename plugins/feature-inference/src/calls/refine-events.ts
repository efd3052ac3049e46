import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import { createAnswerSeparator } from '@agent-service/sdk/model-answers'
import type { ResolvedTarget } from '../targets/resolve-target.js'
import { createWholeCharacters } from './whole-characters.js'

/**
 * Makes the function that every event of one answer goes through, whatever its adapter: reasoning
 * and pictures are taken out of texts, unless JSON was asked for, and characters are whole.
 */
export function createEventRefiner({
  request: { responseSchema, jsonObject },
  inlineReasoning,
}: Pick<ResolvedTarget, 'request' | 'inlineReasoning'>): (event: ModelEvent) => readonly ModelEvent[] {
  const json = responseSchema !== undefined || jsonObject === true
  const separator = createAnswerSeparator({ reasoning: inlineReasoning, json })
  const characters = createWholeCharacters()
  return (event) => separator.take(event).flatMap(characters.take)
}
