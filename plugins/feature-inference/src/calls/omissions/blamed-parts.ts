import type { ServiceError } from '@agent-service/sdk'
import { type ModelMessage, type ProviderFailure, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { type MediaPart, mediaIn } from './media-places.js'

/** Words of vendors about pictures and files; a letter beside them makes another word. */
const mediaWords =
  /(?<![a-z])(?:images?|pictures?|photos?|vision|visual|multi-?modal(?:ity)?|media|mime|pixels?|dimensions?|inline_?data|pdfs?|documents?|attachments?|files?|base64|mmproj)(?![a-z])/i

/** In what way runtimes that answer every refusal with 500 speak of pictures that they cannot take. */
const inability = /support|load|decode|process|invalid|unable|cannot|could not|failed|mmproj/i

const statuses: ReadonlySet<unknown> = new Set([undefined, 400, 413, 415, 422])

/**
 * Whether a failure is about pictures or files: `named` in its words, `possible` for a refusal that
 * speaks of nothing of the kind but may mean it (“invalid argument”), or not at all.
 */
export function blameOf(failure: ServiceError): 'named' | 'possible' | 'none' {
  if (!providerError.isInstance(failure)) return 'none'
  const {
    failure: kind,
    httpStatus,
    reason,
  } = failure.details as {
    readonly failure: ProviderFailure
    readonly httpStatus?: number
    readonly reason: string
  }
  const names = mediaWords.test(reason)
  if (kind === 'bad_request') return statuses.has(httpStatus) ? (names ? 'named' : 'possible') : names ? 'named' : 'none'
  if (!names) return 'none'
  if (kind === 'model_not_found' || kind === 'content_filtered') return 'named'
  return (httpStatus === 500 || httpStatus === 501) && inability.test(reason) ? 'named' : 'none'
}

/** The place in a refusal: `messages.0.content.1.image`, `input[2].content[0]`, `contents[1].parts[0]`. */
const placeText = /(?:messages|input|contents)[.[](\d{1,5})\]?\.(?:content|parts)[.[](\d{1,5})/

/**
 * The media parts at the place that a refusal names. Some vendors take system messages apart from
 * the others, so both counts are tried.
 */
export function partsAtPlace(reason: string, messages: readonly ModelMessage[]): readonly MediaPart[] {
  const [, message, index] = placeText.exec(reason) ?? []
  if (message === undefined) return []
  const withoutSystem = messages.filter(({ role }) => role !== 'system')
  for (const counted of [withoutSystem, messages]) {
    const at = mediaIn(counted).filter((place) => place.message === Number(message) && place.index === Number(index))
    if (at.length > 0) return at.map(({ part }) => part)
  }
  return []
}

/** The media parts since the model last answered in text, with those of the messages before its tool calls. */
export function partsOfNewestTurn(messages: readonly ModelMessage[]): readonly MediaPart[] {
  const answered = messages.findLastIndex(({ role, content }) => role === 'assistant' && !content.some(({ type }) => type === 'tool_call'))
  return mediaIn(messages)
    .filter(({ message }) => message > answered)
    .map(({ part }) => part)
}
