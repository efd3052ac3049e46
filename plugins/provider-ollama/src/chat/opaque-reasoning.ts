import type { OpaquePart, ReasoningPart } from '@agent-service/sdk/contracts/provider-adapter'
import { textAt } from '@agent-service/sdk/provider-kit'

/**
 * The vendor of opaque parts: brand and model, since the model's template writes them into the
 * prompt.
 */
export const opaqueVendor = (brand: string, model: string): string => `ollama:${brand}:${model}`

/** The thinking of an answer, to send back. */
export const thinkingOf = (vendor: string, thinking: string): OpaquePart => ({ vendor, data: { thinking } })

/** The reasoning of a turn to send back. None of other vendors and models. */
export const echoOf = (parts: readonly ReasoningPart[], vendor: string): string =>
  parts.map(({ opaque }) => (opaque?.vendor === vendor ? (textAt(opaque.data, 'thinking') ?? '') : '')).join('')
