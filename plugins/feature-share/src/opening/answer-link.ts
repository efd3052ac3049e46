import type { MissLimit } from '@agent-service/sdk/addresses'
import type { RouteRequest, RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Chats } from '@agent-service/sdk/services/chats'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Collection } from '@agent-service/sdk/services/database'
import type { ShareMetrics } from '../common/share-metrics.js'
import { missingAnswer } from '../pages/missing.js'
import type { Share } from '../store/share.js'
import { tooManyMissesError } from './errors.js'
import { type FoundShare, findShare } from './find-share.js'
import { beginTicks } from './ticks.js'
import type { UseCounts } from './use-counts.js'

/**
 * The answer to a link that leads nowhere is sent so long after its request began, in milliseconds,
 * or, on a machine that is too busy for that, twice, three times as long: what was looked at in
 * between, and for how long, does not show in its time.
 */
export const missMs = 50

/** What the routes of links depend on. */
export interface LinkParts {
  readonly shares: Pick<Collection<Share>, 'find'>
  readonly accounts: Pick<Accounts, 'get'>
  readonly clock: Pick<Clock, 'now'>
  /** Absent while no plugin has chats. */
  readonly chats?: Pick<Chats, 'messages'> | undefined
  readonly misses: MissLimit
  readonly uses: Pick<UseCounts, 'add'>
  readonly metrics: Pick<ShareMetrics, 'opened'>
}

/**
 * Answers a link: with what `answer` makes of it, or, if there is none or `answer` finds nothing,
 * with the one answer to everything that is missing, at the one time. @throws `rate_limited` before
 * anything was looked up.
 */
export async function answerLink(
  parts: LinkParts,
  request: Pick<RouteRequest, 'address' | 'headers' | 'signal'> & { readonly what: 'content' | 'page'; readonly secret: string },
  answer: (found: FoundShare) => Promise<RouteResponse | undefined>,
): Promise<RouteResponse> {
  const { misses, uses, metrics } = parts
  const { address, headers, signal, what } = request
  checkLimit(parts, request)
  const ticks = beginTicks(missMs)
  try {
    const share = await findShare(parts, request.secret, signal)
    const response = share && (await answer(share))
    if (share && response) {
      if (isBeginning(headers)) uses.add(share.share.id)
      metrics.opened(what, 'found')
      return response
    }
    misses.count(address)
    metrics.opened(what, 'missing')
    await ticks.next(signal)
    return missingAnswer(what, headers)
  } finally {
    ticks.end()
  }
}

function checkLimit({ misses, metrics }: LinkParts, { address, what }: { readonly address: string; readonly what: 'content' | 'page' }) {
  try {
    misses.check(address)
  } catch (error) {
    if (tooManyMissesError.isInstance(error)) metrics.opened(what, 'limited')
    throw error
  }
}

/** A player requests a video in many ranges, which is one use. */
const isBeginning = (headers: Readonly<Record<string, string>>): boolean => /^(bytes *= *0 *-.*)?$/i.test(headers['range'] ?? '')
