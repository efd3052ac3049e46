import type { ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { ToolContent } from '@agent-service/sdk/contracts/tool'
import { cutText, wellFormed } from '../well-formed.js'

/** The most text that one result may have, in UTF-16 code units. */
export const maximumResultLength = 100_000
/** The most text and the most base64 that all results of a turn may have together: they become one message, and that one document. */
const maximumTurnLength = 800_000
const maximumTurnImages = 2_500_000

/** A result as the model reads it, cut to the call's share of its turn. `calls` is how many calls the turn has. */
export function toolResult(call: ToolCallPart, content: readonly ToolContent[], calls = 1): ToolResultPart {
  let left = Math.min(maximumResultLength, Math.floor(maximumTurnLength / calls))
  let imagesLeft = Math.floor(maximumTurnImages / calls)
  const parts: ToolResultPart['content'][number][] = []
  for (const item of content) {
    if (item.type === 'image') {
      if (item.data.length > imagesLeft) {
        parts.push({ type: 'text', text: `[left out: an image of ${item.data.length} base64 characters, more than ${imagesLeft}]` })
        continue
      }
      imagesLeft -= item.data.length
      parts.push({ type: 'image', media_type: item.media_type, data: item.data })
      continue
    }
    const text = wellFormed(item.type === 'text' ? item.text : JSON.stringify(item.json))
    const kept = cutText(text, left)
    left -= kept.length
    parts.push({
      type: 'text',
      text: kept.length === text.length ? text : `${kept}\n[cut: ${text.length - kept.length} of ${text.length} characters left out]`,
    })
    if (left === 0 && kept.length < text.length) break
  }
  return { ...head(call), content: parts }
}

/** A result that tells the model that the call did not do what it should. `unknown`: it may or may not have had its effect. */
export function failedResult(call: ToolCallPart, text: string, outcome?: 'unknown'): ToolResultPart {
  const shown = wellFormed(cutText(text, 4_000))
  return { ...head(call), content: [{ type: 'text', text: shown }], is_error: true, ...(outcome ? { outcome } : {}) }
}

function head(call: ToolCallPart): Pick<ToolResultPart, 'type' | 'call_id' | 'provider_call_id' | 'name'> {
  return {
    type: 'tool_result',
    call_id: call.call_id,
    ...(call.provider_call_id === undefined ? {} : { provider_call_id: call.provider_call_id }),
    name: call.name,
  }
}
