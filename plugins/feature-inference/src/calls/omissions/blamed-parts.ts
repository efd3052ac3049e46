import type { ServiceError } from '@agent-service/sdk'
import { type ModelMessage, type ProviderFailure, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { type MediaPart, mediaIn } from '../../common/media-places.js'

/** Words of vendors about pictures and files; a letter beside them makes another word. */
const mediaWords =
  /(?<![a-z])(?:images?|pictures?|photos?|vision|visual|multi-?modal(?:ity)?|media|mime|pixels?|dimensions?|inline_?data|pdfs?|documents?|attachments?|files?|base64|mmproj)(?![a-z])/i

/** In what way runtimes that answer every refusal with 500 speak of pictures that they cannot take. */
const inability = /support|load|decode|process|invalid|unable|cannot|could not|failed|mmproj/i

const statuses: ReadonlySet<unknown> = new Set([undefined, 400, 413, 415, 422])

/** What refusals speak of that pictures have nothing to do with, though their words may be in it. */
const otherMatter = /schema for function|input_schema|response mime type/i
const otherMatterUnnamed =
  /max_(?:completion_|output_)?tokens|temperature|\btop_[pk]\b|thinking|schema|prefill|api key|usage (?:limits?|polic)|response_format|reasoning_effort|must be verified/i

/** The request is too large as a whole, or has too many of them: each for itself may be fine. */
const ofAll =
  /too many (?:images|pictures|photos|files|documents|media|attachments|pdfs)|(?:request|payload|body|entity)(?: \S+){0,2} (?:too large|exceeds)/i

/** The same may be taken another time. */
const passing = /retry|try again|tim(?:ed|e)[ -]?out|download|fetch|temporar|out of memory/i

/** How a failure is about pictures or files. */
export interface Blame {
  /** `named` in its words, or `possible`: it speaks of nothing of the kind but may mean it (“invalid argument”). */
  readonly how: 'named' | 'possible'
  /** It is about all of them together. */
  readonly ofAll: boolean
  /** Surely about what they are, so that the same request would be refused each time. */
  readonly isLasting: boolean
}

/** Whether and how a failure is about pictures or files; `undefined`: not at all. */
export function blameOf(failure: ServiceError): Blame | undefined {
  if (!providerError.isInstance(failure)) return undefined
  const details = failure.details as unknown as FailureDetails
  const { failure: kind, httpStatus, reason } = details
  const names = mediaWords.test(reason) && !otherMatter.test(reason)
  const how = isRefusal(details, names) ? (names ? 'named' : 'possible') : undefined
  if (how === undefined || (how === 'possible' && (kind !== 'bad_request' || otherMatterUnnamed.test(reason)))) return undefined
  const isOfAll = httpStatus === 413 || ofAll.test(reason)
  const isFault = httpStatus !== undefined && httpStatus >= 500
  return { how, ofAll: isOfAll, isLasting: how === 'named' && !isOfAll && !isFault && !passing.test(reason) }
}

interface FailureDetails {
  readonly failure: ProviderFailure
  readonly httpStatus?: number
  readonly reason: string
}

function isRefusal({ failure: kind, httpStatus, reason }: FailureDetails, names: boolean): boolean {
  if (kind === 'bad_request') return names || statuses.has(httpStatus)
  if (!names) return false
  if (kind === 'model_not_found' || kind === 'content_filtered') return true
  return (httpStatus === 500 || httpStatus === 501) && inability.test(reason)
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
