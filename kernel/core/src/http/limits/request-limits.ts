import type { Clock } from '@agent-service/sdk/services/clock'
import { type Hold, holderOf, type Limit, type LimitDefinition } from '@agent-service/sdk/services/quotas'
import type { QuotaRegistry } from '../../quotas/index.js'
import type { Authentication } from '../authenticator.js'
import type { HttpLimits } from '../http-options.js'
import { announcesBody, type Exchange, ExchangeEndedError } from '../request/exchange.js'
import { kernelOwnerId, type TableEntry } from '../route-table.js'

/** Probes are answered however busy the service is. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** The limits of requests in progress. */
export interface RequestLimits {
  /** Bytes of bodies that were received and not passed on yet. */
  readonly bodies: Limit
  /**
   * Bytes of announced bodies that are being received: a body that exceeds its holder's share is
   * refused before it is sent.
   */
  readonly announced: Limit
  /** Bodies that are being parsed in a thread, or wait for one. */
  readonly parsing: Limit
  /** Large bodies that are being parsed and worked on. */
  readonly handling: Limit
  /**
   * Takes the shares of a request until it has been answered: a stream or a call, and an upload if
   * the body is streamed. Calls and uploads wait up to `maxShareWaitMs` for room.
   * @throws `limit_reached`, `overloaded`
   */
  begin(
    exchange: Exchange,
    entry: TableEntry,
    authentication: Authentication | undefined,
  ): Promise<{ release(): void }> | { release(): void }
  /** Ends the limits. */
  close(): void
}

/**
 * The holder that a request counts for. What acts for a user counts for itself: neither takes the
 * user's places, for whom it may be working, nor is it counted by the loopback from which it comes.
 */
export function holderOfExchange(exchange: Exchange, authentication: Authentication | undefined): string {
  const holder = holderOf({ principal: authentication?.principal, address: exchange.client.address })
  return authentication?.principal.actor ? `${holder} actor` : holder
}

/** Declares the limits of the HTTP layer. */
export function createRequestLimits(options: {
  readonly quotas: Pick<QuotaRegistry, 'declare'>
  readonly limits: HttpLimits
  readonly clock: Clock
}): RequestLimits {
  const { limits, clock } = options
  const ends: (() => unknown)[] = []
  const declare = (definition: LimitDefinition) => {
    const { limit, end } = options.quotas.declare(definition)
    ends.push(end)
    return limit
  }
  const byKind = (ofUser: number, ofAddress: number) => (holder: string) => (holder.startsWith('user:') ? ofUser : ofAddress)
  const eventStreams = declare({
    ...{ name: 'event-streams', counts: 'open event streams' },
    ...{ maxPerHolder: limits.maxEventStreams, displaceIdleMs: limits.unreadStreamMs },
  })
  const pluginStreams = declare({
    ...{ name: 'plugin-streams', counts: 'open streams of plugins' },
    ...{ maxPerHolder: limits.maxPluginStreams, displaceIdleMs: limits.unreadStreamMs },
  })
  const calls = declare({
    ...{ name: 'calls', counts: 'requests' },
    maxPerHolder: byKind(limits.maxCalls, limits.maxAnonymousCalls),
    waiting: { maxPerHolder: 64, maxTotal: 4_096, maxMs: limits.maxShareWaitMs },
  })
  const uploads = declare({
    ...{ name: 'uploads', counts: 'uploads' },
    maxPerHolder: limits.maxUploads,
    waiting: { maxPerHolder: 64, maxTotal: 4_096, maxMs: limits.maxShareWaitMs },
  })
  const takeStream = (limit: Limit, holder: string, exchange: Exchange): Hold => {
    let unreadSince: number | undefined
    exchange.onProgress = (waits) => {
      unreadSince = waits ? clock.monotonic() : undefined
    }
    return limit.take(holder, 1, {
      lastUsed: () => unreadSince ?? clock.monotonic(),
      onDisplaced: () =>
        exchange.closeEarly ? exchange.closeEarly('displaced') : exchange.controller.abort(new ExchangeEndedError('displaced')),
    })
  }

  const maxBody = byKind(limits.maxBodyBytes, limits.maxAnonymousBodyBytes)
  const reserved = Math.floor(limits.maxTotalBodyBytes / 4)
  const bodies = declare({
    ...{ name: 'request-bodies', counts: 'bytes of bodies that are being received' },
    // At most what is left for large bodies, so that each new holder finds as much room as the
    // others have. A few small bodies are always permitted.
    maxPerHolder: (holder): number =>
      Math.min(maxBody(holder), Math.max(4 * limits.smallBodyBytes, limits.maxTotalBodyBytes - reserved - bodies.total())),
    maxTotal: limits.maxTotalBodyBytes,
    reserve: { amount: reserved, upTo: limits.smallBodyBytes },
  })

  return {
    bodies,
    announced: declare({
      ...{ name: 'announced-bodies', counts: 'bytes of announced bodies' },
      maxPerHolder: maxBody,
    }),
    parsing: declare({
      ...{ name: 'body-parsing', counts: 'large bodies that are being parsed' },
      ...{ maxPerHolder: 1, maxTotal: limits.maxJsonThreads },
      waiting: { maxPerHolder: 64, maxTotal: 1_024, maxMs: 60_000 },
    }),
    handling: declare({
      ...{ name: 'large-bodies', counts: 'large bodies that are being worked on', maxPerHolder: 1 },
      waiting: { maxPerHolder: 64, maxTotal: 1_024, maxMs: 60_000 },
    }),
    begin(exchange, { route, owner }, authentication) {
      if (probes.has(route.path)) return noShare
      const holder = holderOfExchange(exchange, authentication)
      if (route.streaming) return takeStream(owner.id === kernelOwnerId ? eventStreams : pluginStreams, holder, exchange)
      const { signal } = exchange.controller
      const call = calls.acquire(holder, 1, { signal })
      if (route.body?.kind !== 'stream' || !announcesBody(exchange.request)) return call
      return withUpload(call, () => uploads.acquire(holder, 1, { signal }))
    },
    close() {
      for (const end of ends) end()
    },
  }
}

const noShare = Object.freeze({ release: () => undefined })

async function withUpload(acquired: Promise<Hold>, acquireUpload: () => Promise<Hold>): Promise<{ release(): void }> {
  const call = await acquired
  try {
    const upload = await acquireUpload()
    return {
      release() {
        upload.release()
        call.release()
      },
    }
  } catch (error) {
    call.release()
    throw error
  }
}
