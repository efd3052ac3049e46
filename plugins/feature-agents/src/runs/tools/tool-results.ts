import type { ImagePart, ModelMessage, TextPart, ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { ToolContent } from '@agent-service/sdk/contracts/tool'
import { cutText, wellFormed } from '../../common/well-formed.js'
import { estimateText } from '../../context/estimate-tokens.js'

/** The most text of one result, in UTF-16 code units. */
export const maxResultLength = 100_000
/** The least text that a cut result keeps, however small the model's window is. */
const minResultLength = 1_000
/**
 * The most text and the most base64 of all results of a turn together: they are stored as one
 * message in one document.
 */
const maxTurnLength = 800_000
const maxTurnImages = 2_500_000

/** The room for a result. */
export interface ResultRoom {
  /** How many calls the turn has. */
  readonly calls: number
  /**
   * The most that all results of the turn may take of the model's window, in tokens. Default: as
   * much as can be stored.
   */
  readonly tokens?: number | undefined
}

/** A result as the model reads it. */
export interface CutResult {
  readonly part: ToolResultPart
  /** The whole text, if the model was shown only a part. */
  readonly whole?: string
}

/**
 * A result as the model reads it, cut to the call's share of its turn: the beginning and the end
 * stay, and a line between them states what is missing. `readable`: it also states how to read the
 * rest.
 */
export function cutResult(call: ToolCallPart, content: readonly ToolContent[], room: ResultRoom, readable: boolean): CutResult {
  const texts = content.map((item) =>
    item.type === 'image' ? undefined : wellFormed(item.type === 'text' ? item.text : JSON.stringify(item.json)),
  )
  const whole = texts.filter((text) => text !== undefined).join('\n')
  const limit = lengthFor(whole, room)
  const images = imagesOf(content, Math.floor(maxTurnImages / room.calls))
  if (whole.length <= limit) {
    const parts = content.map((_, index) => images[index] ?? { type: 'text' as const, text: texts[index] ?? '' })
    return { part: { ...head(call), content: parts } }
  }
  const begin = cutText(whole, Math.floor(limit * headShare))
  const end = cutStart(whole, limit - begin.length)
  const marker = cutMarker(call, { begin: begin.length, end: whole.length - end.length, length: whole.length }, readable)
  const text: TextPart = { type: 'text', text: `${begin}\n${marker}\n${end}` }
  return { part: { ...head(call), content: [text, ...images.filter((image) => image !== undefined)] }, whole }
}

/** The share of a cut text that is its beginning; the rest is its end. */
const headShare = 0.6

/**
 * The call's share of the turn, in UTF-16 code units, by the average number of code units per token
 * of the text.
 */
function lengthFor(text: string, { calls, tokens }: ResultRoom): number {
  const stored = Math.min(maxResultLength, Math.floor(maxTurnLength / calls))
  if (tokens === undefined) return stored
  const perToken = text.length / Math.max(1, estimateText(text))
  // A single call must leave room for later calls of the run.
  const share = Math.min(tokens / 2, tokens / calls)
  return Math.min(stored, Math.max(minResultLength, Math.floor(share * perToken)))
}

/**
 * The images, each at its index in the result; an image that is too large is replaced by a line
 * that states so.
 */
function imagesOf(content: readonly ToolContent[], room: number): readonly (TextPart | ImagePart | undefined)[] {
  let left = room
  return content.map((item) => {
    if (item.type !== 'image') return undefined
    if (item.data.length > left)
      return { type: 'text', text: `[left out: an image of ${item.data.length} base64 characters; at most ${left} were allowed]` }
    left -= item.data.length
    return { type: 'image', media_type: item.media_type, data: item.data }
  })
}

/** The tool that reads what was cut. */
export const readResultName = 'read_result'
const readableMark = `with ${readResultName} {"call_id":"`

/** Whether a conversation has a cut result whose rest can be read. */
export const hasCutResult = (messages: readonly ModelMessage[]): boolean =>
  messages.some(
    (message) =>
      message.role === 'tool' &&
      message.content.some(({ content }) => content.some((item) => item.type === 'text' && item.text.includes(readableMark))),
  )

function cutMarker(
  call: ToolCallPart,
  { begin, end, length }: { readonly begin: number; readonly end: number; readonly length: number },
  readable: boolean,
): string {
  const missing = `cut: ${end - begin} of ${length} characters left out`
  if (!readable) return `[${missing}]`
  const wanted = Math.min(end - begin, 20_000)
  return `[${missing}. Read them ${readableMark}${call.call_id}","offset":${begin},"length":${wanted}}, or find a place in them with "search":"…" instead of "offset".]`
}

/**
 * A result that reports a failed call to the model. `unknown`: the call may or may not have had its
 * effect.
 */
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

/** The last `length` code units of a text, or one less if that would split a surrogate pair. */
function cutStart(text: string, length: number): string {
  const begin = text.length - length
  const code = text.charCodeAt(begin)
  return text.slice(code >= 0xdc00 && code <= 0xdfff ? begin + 1 : begin)
}
