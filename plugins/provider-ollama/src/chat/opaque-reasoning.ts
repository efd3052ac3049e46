import type { OpaquePart, ReasoningPart } from '@agent-service/sdk/contracts/provider-adapter'
import { textAt } from '@agent-service/sdk/provider-kit'

/** Who can read an opaque part of this protocol: brand and model, since a template of the model puts it into the prompt. */
export const opaqueVendor = (brand: string, model: string): string => `ollama:${brand}:${model}`

/** The thinking of an answer as the runtime wants it back. */
export const thinkingOf = (vendor: string, thinking: string): OpaquePart => ({ vendor, data: { thinking } })

/** What of a turn's reasoning goes back. Reasoning of other vendors and models does not. */
export const echoOf = (parts: readonly ReasoningPart[], vendor: string): string =>
  parts.map(({ opaque }) => (opaque?.vendor === vendor ? (textAt(opaque.data, 'thinking') ?? '') : '')).join('')
