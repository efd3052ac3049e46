import type { ModelMessage, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { type Inference, modelGroupUnknownError } from '@agent-service/sdk/services/inference'
import { contextBudget, contextWindow } from './budget.js'
import { estimateText, estimateTokens } from './estimate-tokens.js'
import { keepWithin } from './history.js'
import { createKnownSizes, estimateAll } from './known-sizes.js'
import { textOfModelTool } from './model-tool.js'
import { beginsWithSummary } from './summaries.js'

/** A prompt that may be too long. */
export interface LongPrompt {
  readonly group: string
  readonly system: ModelMessage
  readonly tools: readonly ModelTool[]
  readonly conversation: readonly ModelMessage[]
  /**
   * Messages without a summary were left out of the conversation, because it exceeds any prompt.
   */
  readonly cut: boolean
}

/** The part of a conversation that goes into the prompt. */
export interface FittedHistory {
  readonly kept: readonly ModelMessage[]
  /** The prompt with the whole conversation is above the threshold of compaction. */
  readonly overfull: boolean
}

/** How {@link HistoryFitter} decides. */
export interface FitOptions {
  /**
   * False: wait for nothing. Unless a rough estimate is far below all limits, the prompt counts as
   * overfull.
   */
  readonly count: boolean
  /** The vendor has already refused this conversation: only half of it may go into the prompt. */
  readonly squeeze: boolean
  readonly signal?: AbortSignal | undefined
}

/** The estimated size of the system message and the tools. */
export const estimateFixed = (system: ModelMessage, tools: readonly ModelTool[]): number =>
  estimateTokens(system.content) + Math.ceil(tools.reduce((sum, tool) => sum + estimateText(textOfModelTool(tool)), 0))

/** How far the true size may exceed an estimate. */
const estimateTolerance = 4 / 3

/** Decides which part of a conversation goes into the prompt. */
export interface HistoryFitter {
  /**
   * Omits whole turns from the front until the history is within its budget. A summary at its
   * beginning stays, and so does the newest turn.
   */
  fit(prompt: LongPrompt, options: FitOptions): Promise<FittedHistory>
}

/**
 * The fitter remembers its counts, so that it does not count the whole conversation again for each
 * call.
 */
export function createHistoryFitter({
  inference,
}: {
  readonly inference: Pick<Inference, 'countTokens' | 'groups' | 'limits'>
}): HistoryFitter {
  const known = createKnownSizes()

  return {
    async fit({ group, system, tools, conversation, cut }, options) {
      const pct = inference.limits.history_truncation_pct
      const fixed = estimateFixed(system, tools)
      const rough = contextBudget(contextWindow(inference, group), fixed, pct)
      const estimate = estimateAll(conversation)
      const room = Math.min(rough.compactAbove, fixed + rough.history) - 2 * fixed
      const surelyFits = 2 * estimate <= room || (known.atMost(group, conversation) ?? Number.POSITIVE_INFINITY) <= room
      if (surelyFits && !cut && !options.squeeze) return { kept: conversation, overfull: false }
      if (!options.count) return { kept: conversation, overfull: true }

      const counted = async (messages: readonly ModelMessage[], atMost?: number) =>
        inference.countTokens(
          { group, messages: [system, ...messages], tools },
          { ...(options.signal && { signal: options.signal }), ...(atMost === undefined ? {} : { atMost }) },
        )
      try {
        const place = await counted([])
        const budget = contextBudget(place, place.tokens, pct)
        const { tokens, exact } = await counted(conversation, Math.min(budget.compactAbove, budget.fixed + budget.history))
        const size = tokens - budget.fixed
        known.remember(group, conversation, exact ? size : size * estimateTolerance)
        const allowed = options.squeeze ? Math.floor(Math.min(budget.history, size) / 2) : budget.history
        const sizeOf = async (messages: readonly ModelMessage[]) => (await counted(messages)).tokens - budget.fixed
        const kept = size <= allowed ? conversation : await omitOlder(conversation, allowed, size / Math.max(1, estimate), sizeOf)
        return { kept, overfull: cut || tokens > budget.compactAbove }
      } catch (error) {
        // The model call will report the missing model.
        if (!modelGroupUnknownError.isInstance(error)) throw error
        return { kept: keepBehindSummary(conversation, rough.history), overfull: false }
      }
    },
  }
}

/** How often one conversation is counted at most. */
const maxCounts = 8

/** `ratio`: the counted tokens per estimated token of this conversation. */
async function omitOlder(
  conversation: readonly ModelMessage[],
  allowed: number,
  ratio: number,
  sizeOf: (messages: readonly ModelMessage[]) => Promise<number>,
): Promise<readonly ModelMessage[]> {
  let estimatedRoom = allowed / ratio
  let kept = keepBehindSummary(conversation, estimatedRoom)
  const least = keepBehindSummary(conversation, 0).length
  for (let count = 0; count < maxCounts && kept.length > least; count += 1) {
    const size = await sizeOf(kept)
    if (size <= allowed) return kept
    estimatedRoom *= Math.min(0.95, allowed / size)
    kept = keepBehindSummary(conversation, estimatedRoom)
  }
  return kept.length > least ? keepBehindSummary(conversation, 0) : kept
}

function keepBehindSummary(conversation: readonly ModelMessage[], room: number): readonly ModelMessage[] {
  if (!beginsWithSummary(conversation)) return keepWithin(conversation, room)
  const summary = conversation.slice(0, 1)
  return [...summary, ...keepWithin(conversation.slice(1), room - estimateAll(summary))]
}
