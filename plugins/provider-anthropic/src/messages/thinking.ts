import type { JsonObject } from '@agent-service/sdk'
import type { ModelSettings } from '@agent-service/sdk/contracts/provider-adapter'
import { isObject, numberAt } from '@agent-service/sdk/provider-kit'
import type { WireMessage } from './build-messages.js'

/** The least that the protocol takes, in tokens. */
const minBudget = 1_024
/** The least `top_p` beside thinking. */
const minTopP = 0.95

/** Thinking and sampling, which depend on each other. */
export interface ThinkingPlan {
  /** Members of the body. */
  readonly body: JsonObject
}

/**
 * Maps `thinking` and the sampling settings. Thinking is left out of a call that forces a tool, and
 * in the middle of a turn that another model, or one that did not think, has begun: the protocol
 * refuses both. While it is on, sampling settings that the protocol refuses then are left out.
 */
export function planThinking(
  settings: ModelSettings,
  {
    maxTokens,
    forcesTool,
    messages,
  }: { readonly maxTokens: number; readonly forcesTool: boolean; readonly messages: readonly WireMessage[] },
): ThinkingPlan {
  const thinking = settings['thinking']
  const type = isObject(thinking) ? thinking['type'] : undefined
  const isOn = type === 'enabled' && !forcesTool && !isInUnthoughtTurn(messages)
  const { temperature, top_p: topP, top_k: topK } = settings
  return {
    body: {
      ...(isOn && { thinking: { type: 'enabled', budget_tokens: budgetOf(thinking, maxTokens) } }),
      ...(type === 'disabled' && { thinking: { type: 'disabled' } }),
      ...(temperature !== undefined && (!isOn || temperature === 1) && { temperature }),
      ...(typeof topP === 'number' && (!isOn || topP >= minTopP) && { top_p: topP }),
      ...(topK !== undefined && !isOn && { top_k: topK }),
    },
  }
}

/** The budget that is set, else half of the limit of the answer. */
const budgetOf = (thinking: unknown, maxTokens: number): number =>
  numberAt(thinking, 'budget_tokens') ?? Math.max(minBudget, Math.floor(maxTokens / 2))

/**
 * Results of tools were just given, and the first message of the assistant in this turn has no
 * thinking at its beginning.
 */
function isInUnthoughtTurn(messages: readonly WireMessage[]): boolean {
  const asked = messages.findLastIndex(({ role, content }) => role === 'user' && content[0]?.['type'] !== 'tool_result')
  const first = messages[asked + 1]?.content[0]?.['type']
  return first !== undefined && messages.at(-1)?.role === 'user' && first !== 'thinking' && first !== 'redacted_thinking'
}
