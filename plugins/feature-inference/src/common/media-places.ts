import { type FilePart, type ImagePart, isTextFile, type ModelMessage, type TextPart } from '@agent-service/sdk/contracts/provider-adapter'

/** A picture, or a file that is not text, as it stands in a request. */
export type MediaPart = ImagePart | FilePart

/** A media part with its place. */
export interface MediaPlace {
  readonly part: MediaPart
  /** The index of its message. */
  readonly message: number
  /** The index of the part of that message that it is, or whose result it belongs to. */
  readonly index: number
}

/** Files that are text reach a model as text, so no vendor refuses them for what they are. */
const isMedia = (part: { readonly type: string }): part is MediaPart =>
  part.type === 'image' || (part.type === 'file' && !isTextFile(part as FilePart))

/** All media parts of a conversation, in order, those in results of tools too. */
export function mediaIn(messages: readonly ModelMessage[]): readonly MediaPlace[] {
  const places: MediaPlace[] = []
  for (const [message, { content }] of messages.entries())
    for (const [index, part] of content.entries())
      for (const inner of part.type === 'tool_result' ? part.content : [part])
        if (isMedia(inner)) places.push({ part: inner, message, index })
  return places
}

/** Puts something in the place of media parts; the same messages if nothing changes. */
export function replaceMedia(
  messages: readonly ModelMessage[],
  replacementOf: (part: MediaPart) => MediaPart | TextPart,
): readonly ModelMessage[] {
  let changed = false
  const replaced = <Part extends { readonly type: string }>(part: Part): Part | MediaPart | TextPart => {
    if (!isMedia(part)) return part
    const other = replacementOf(part)
    if (other !== part) changed = true
    return other
  }
  const result = messages.map((message) => ({
    ...message,
    content: message.content.map((part) =>
      part.type === 'tool_result' ? { ...part, content: part.content.map(replaced) } : replaced(part),
    ),
  }))
  return changed ? (result as readonly ModelMessage[]) : messages
}
