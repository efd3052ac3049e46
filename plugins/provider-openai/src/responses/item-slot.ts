import type { JsonObject } from '@agent-service/sdk'
import type { ImagePart, ReasoningPart, TextPart, ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import { type ArgumentsJoiner, parseArguments, type ToolNames, textAt } from '@agent-service/sdk/provider-kit'
import { type ItemKind, isRefusal, messageMarks, messageText, pictureOf, reasoningText } from './read-item.js'

/** One item of an answer so far. */
export interface ItemSlot {
  readonly kind: ItemKind
  /**
   * Its position in the output, if the event has one. Ids are not a key, since one brand generates
   * new ones for each event.
   */
  readonly outputIndex: number | undefined
  readonly itemId: string | undefined
  /** Text, reasoning or arguments so far. */
  text: string
  /** The arguments of a call so far. */
  readonly joined: ArgumentsJoiner
  /** The section of the reasoning that came last. */
  section: string | undefined
  name: string
  callId: string | undefined
  announced: boolean
  /** The arguments are complete, although the item may not have ended. */
  argumentsEnded: boolean
  /** The final item; it replaces the pieces. */
  item: JsonObject | undefined
}

/** Dependencies of the parts. */
export interface PartContext {
  readonly vendor: string
  readonly names: ToolNames
  /** The response ended early, so a call may be incomplete. */
  readonly cut: boolean
}

/** The part of a slot; `undefined` for a cut call. */
export function partOf(slot: ItemSlot, context: PartContext): readonly (TextPart | ReasoningPart | ToolCallPart | ImagePart)[] {
  const { item } = slot
  const opaque = (data: JsonObject) => ({ opaque: { vendor: context.vendor, data } })
  switch (slot.kind) {
    case 'text': {
      const marks = item ? messageMarks(item) : {}
      return [{ type: 'text', text: item ? messageText(item) : slot.text, ...(Object.keys(marks).length > 0 && opaque(marks)) }]
    }
    case 'reasoning':
      // Reasoning that did not end has no signature that could go back.
      return [{ type: 'reasoning', text: item ? reasoningText(item) : slot.text, ...(item && opaque(item)) }]
    case 'picture':
      return item ? [picturePart(item, opaque)] : []
    case 'hidden':
      return item ? [{ type: 'reasoning', text: '', ...opaque(item) }] : []
    case 'call':
    case 'custom_call':
      return callPart(slot, context)
  }
}

/** A picture; what the vendor's tool made goes back as its item, which then gets the data again. */
function picturePart(item: JsonObject, opaque: (data: JsonObject) => Pick<ImagePart, 'opaque'>): ImagePart {
  const picture = pictureOf(item)
  if (textAt(item, 'type') !== 'image_generation_call') return picture
  const { result: _, ...rest } = item
  return { ...picture, ...opaque(rest) }
}

/** True for a message in which the model refused. */
export const hasRefused = (slot: ItemSlot): boolean => slot.kind === 'text' && slot.item !== undefined && isRefusal(slot.item)

function callPart(slot: ItemSlot, { vendor, names, cut }: PartContext): readonly ToolCallPart[] {
  const isWhole = slot.item ? textAt(slot.item, 'status') !== 'incomplete' : slot.argumentsEnded
  if (!isWhole || slot.name === '') return []
  const id = slot.callId ?? `call_${slot.outputIndex ?? 'answer'}`
  const base = { type: 'tool_call', call_id: id, provider_call_id: id, name: names.own(slot.name) } as const
  if (slot.kind === 'custom_call') {
    return [{ ...base, arguments: { input: slot.text }, ...(slot.item && { opaque: { vendor, data: slot.item } }) }]
  }
  const parsed = parseArguments(slot.text)
  if (!('invalid' in parsed)) return [{ ...base, arguments: parsed.arguments }]
  return cut ? [] : [{ ...base, arguments: {}, invalid_arguments: parsed.invalid }]
}
