import type { JsonObject } from '@agent-service/sdk'
import type { ImagePart, TokenLogprob } from '@agent-service/sdk/contracts/provider-adapter'
import { pictureAt } from '@agent-service/sdk/model-answers'
import { isObject, listAt, objectAt, readTokenLogprobs, textAt } from '@agent-service/sdk/provider-kit'

/** The kind of an item: text, reasoning, a call, a picture, or opaque data for the vendor. */
export type ItemKind = 'text' | 'reasoning' | 'call' | 'custom_call' | 'picture' | 'hidden'

const kinds: Readonly<Record<string, ItemKind>> = {
  message: 'text',
  reasoning: 'reasoning',
  function_call: 'call',
  custom_tool_call: 'custom_call',
  image_generation_call: 'picture',
  // A part of a message, which some gateways send.
  output_image: 'picture',
}

/** The kind of an item. */
export const kindOf = (item: JsonObject): ItemKind => kinds[textAt(item, 'type') ?? ''] ?? 'hidden'

/** The text of a message, refusals too. */
export const messageText = (item: JsonObject): string =>
  listAt(item, 'content')
    .map((part) => textAt(part, 'text') ?? textAt(part, 'refusal') ?? '')
    .join('')

/** The log probabilities of the tokens of a message. */
export const messageLogprobs = (item: JsonObject): readonly TokenLogprob[] =>
  listAt(item, 'content').flatMap((part) => readTokenLogprobs(listAt(part, 'logprobs')))

/** True for a message in which the model refused. */
export const isRefusal = (item: JsonObject): boolean => listAt(item, 'content').some((part) => textAt(part, 'type') === 'refusal')

/**
 * The readable part of reasoning: its summary, else the reasoning itself, as open models give it.
 * An empty line separates sections.
 */
export function reasoningText(item: JsonObject): string {
  const sections = (name: string): string =>
    listAt(item, name)
      .map((part) => textAt(part, 'text') ?? '')
      .filter((text) => text !== '')
      .join('\n\n')
  const summary = sections('summary')
  return summary === '' ? sections('content') : summary
}

/** What identifies a message: its id, its phase, and whether it is a refusal. */
export function messageMarks(item: JsonObject): JsonObject {
  const [id, phase] = [textAt(item, 'id'), textAt(item, 'phase')]
  return { ...(id !== undefined && { id }), ...(phase !== undefined && { phase }), ...(isRefusal(item) && { refused: true }) }
}

/** The pictures among the parts of a message. */
export const messagePictures = (item: JsonObject): readonly JsonObject[] =>
  listAt(item, 'content').filter((part): part is JsonObject => isObject(part) && textAt(part, 'type') === 'output_image')

/** The picture of an item that the vendor's tool made, or of a part of a message. */
export function pictureOf(item: JsonObject): ImagePart {
  if (textAt(item, 'type') === 'output_image')
    return pictureAt(textAt(item, 'image_url') ?? textAt(objectAt(item, 'image_url'), 'url') ?? '')
  return { type: 'image', media_type: `image/${textAt(item, 'output_format') ?? 'png'}`, data: textAt(item, 'result') ?? '' }
}
