import type { JsonObject } from '@agent-service/sdk'
import { isObject, numberAt, objectAt } from '@agent-service/sdk/provider-kit'

/** The share of the window from which a prompt may have been cut. */
const nearlyFull = 0.95

/**
 * A prompt that does not fit is silently cut from its start. The only signs are a prompt that fills
 * the window, or one that by our estimate is far larger than it. `undefined` if the window is
 * unknown.
 */
export function contextWarning(
  body: JsonObject,
  prompt: { readonly counted: number | undefined; readonly estimated: number },
): string | undefined {
  const window = isObject(body) ? numberAt(objectAt(body, 'options'), 'num_ctx') : undefined
  if (window === undefined) return undefined
  const isFull = prompt.counted !== undefined && prompt.counted >= window * nearlyFull
  // Four characters a token is a rough estimate, hence the factor two.
  const isFarLarger = prompt.estimated > window * 2
  if (!isFull && !isFarLarger) return undefined
  const size = prompt.counted === undefined ? `about ${prompt.estimated}` : String(prompt.counted)
  return `The prompt of ${size} tokens fills the window of ${window} tokens (num_ctx): Ollama may have cut off its beginning.`
}
