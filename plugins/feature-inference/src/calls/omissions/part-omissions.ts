import type { ServiceError } from '@agent-service/sdk'
import type { InferenceRequest } from '@agent-service/sdk/services/inference'
import { type MediaPart, mediaIn, replaceMedia } from '../../common/media-places.js'
import { type Blame, blameOf, partsAtPlace, partsOfNewestTurn } from './blamed-parts.js'
import type { RefusalOfPart, RefusedParts } from './refused-parts.js'

/** How often only the parts at a named place are left out, before more of them are. */
const maxNamed = 3
/** How often only the older half is left out of a request that is too large as a whole. */
const maxHalved = 3
/** The most of the vendor's words that a model reads, in UTF-16 code units. */
const maxShown = 300

/** What an attempt goes without that the one before had. */
export interface Omission {
  readonly count: number
  /** In the vendor's words. */
  readonly reason: string
}

/** What of a request one target is not sent, because its vendor refuses it. */
export interface PartOmissions {
  /** The request with texts in the place of what is left out. */
  request(): InferenceRequest
  /**
   * Leaves out more after a failed attempt: what the refusal names, else what the newest turn
   * brought, else all; the older half first of a request that is too large as a whole. `undefined` if that cannot help.
   */
  after(failure: ServiceError): Omission | undefined
  /**
   * The target has answered: later requests go without what was left out, unless it was too large
   * only together with the rest. Never rejects.
   */
  settle(): Promise<void>
}

/** Begins with what the target has refused before. A caller who wants the request exactly gets nothing left out. */
export async function openPartOmissions(request: InferenceRequest, target: string, refusedParts: RefusedParts): Promise<PartOmissions> {
  const userId = request.attribution?.userId
  const media = request.exact === true ? [] : mediaIn(request.messages).map(({ part }) => part)
  const reasons = new Map<MediaPart, string>(media.length === 0 ? [] : await refusedParts.among(media, { userId, target }))
  const fresh = new Map<MediaPart, RefusalOfPart>()
  let named = 0
  let halved = 0
  let reduced: InferenceRequest | undefined

  const parts = (blame: Blame, reason: string): readonly MediaPart[] => {
    const left = media.filter((part) => !reasons.has(part))
    if (left.length === 0) return []
    if (blame.ofAll && halved < maxHalved) {
      halved += 1
      return left.slice(0, Math.ceil(left.length / 2))
    }
    if (blame.how === 'possible' || blame.ofAll) return left
    const among = (candidates: readonly MediaPart[]): readonly MediaPart[] => candidates.filter((part) => !reasons.has(part))
    const atPlace = named < maxNamed ? among(partsAtPlace(reason, request.messages)) : []
    if (atPlace.length > 0) {
      named += 1
      return atPlace
    }
    const newest = among(partsOfNewestTurn(request.messages))
    return newest.length > 0 ? newest : left
  }

  return {
    request() {
      if (reasons.size === 0) return request
      reduced ??= { ...request, messages: replaceMedia(request.messages, (part) => noteFor(part, reasons.get(part))) }
      return reduced
    },
    after(failure) {
      const blame = blameOf(failure)
      if (!blame) return undefined
      const reason = String(failure.details['reason'] ?? failure.message)
      const refused = parts(blame, reason)
      if (refused.length === 0) return undefined
      for (const part of refused) {
        reasons.set(part, reason)
        if (!blame.ofAll || media.length === 1) fresh.set(part, { reason, isLasting: blame.isLasting })
      }
      reduced = undefined
      return { count: refused.length, reason }
    },
    async settle() {
      if (fresh.size > 0) await refusedParts.remember(fresh, { userId, target })
      fresh.clear()
    },
  }
}

function noteFor(part: MediaPart, reason: string | undefined) {
  if (reason === undefined) return part
  const what = part.type === 'image' ? 'picture' : `file “${part.name}”`
  const words = reason.length > maxShown ? `${reason.slice(0, maxShown)}…` : reason
  return { type: 'text' as const, text: `[${what} left out: this model’s provider refused it: ${words}]` }
}
