import type { Logger } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import type { TakePlace } from '@agent-service/sdk/egress-proxy'
import type { BrowserSettings } from '../configuration/browser-section.js'
import type { PageGuard } from '../network/page-guard.js'
import { openProfileProxy, type ProxyRules } from '../network/profile-proxy.js'
import { type BrowserEndpoint, findEndpoint } from '../service/endpoint.js'
import type { Management } from '../service/management.js'
import { type BrowserLink, openBrowserLink } from './browser-link.js'
import { openProfileBrowser, type ProfileBrowser } from './profile-browser.js'

/** Whose browser is opened, and how far it reaches. */
export interface OpenRequest {
  /** The folder of the profile below `browser.profiles_path`. Absent: nothing is kept. */
  readonly profile?: string
  readonly takePlace: TakePlace
  readonly allows: ProxyRules['allows']
}

/** What is known of the browser service. */
export interface PoolState {
  /** `unknown` until it was first needed. */
  readonly reachable: 'yes' | 'no' | 'unknown'
  readonly reason: string | null
  /** `devtools` keeps no profiles itself. */
  readonly kind: BrowserEndpoint['kind'] | null
}

/** Opens browsers at the configured address. */
export interface BrowserPool {
  /** @throws `browser_unavailable`, `browser_lost`, the reason of the signal. */
  open(request: OpenRequest, signal: AbortSignal): Promise<ProfileBrowser & { readonly kind: BrowserEndpoint['kind'] }>
  state(): PoolState
  close(): void
}

export function createBrowserPool(dependencies: {
  readonly settings: BrowserSettings & { readonly ws_url: string }
  readonly management: Management
  readonly guard: PageGuard
  readonly log: Logger
  readonly signal: AbortSignal
  /** A page wanted to reach a closed address. */
  readonly onRefused: () => void
}): BrowserPool {
  const { settings, management, guard, log, onRefused } = dependencies
  const limitMs = settings.connection_timeout_ms
  const links = new Set<BrowserLink>()
  let state: PoolState = { reachable: 'unknown', reason: null, kind: null }

  const open = async (request: OpenRequest, signal: AbortSignal) => {
    const endpoint = await findEndpoint(settings, { management, signal })
    const proxy = await openProfileProxy(endpoint.localAddress, {
      ...{ guard, takePlace: request.takePlace, allows: request.allows },
      refused: (host, port) => {
        onRefused()
        log.debug('A connection of a page was refused.', { host, port })
      },
    })
    let link: BrowserLink | undefined
    const isShared = endpoint.kind === 'devtools'
    try {
      const profile = request.profile === undefined ? {} : { profile: `${settings.profiles_path.replace(/\/+$/, '')}/${request.profile}` }
      const place = endpoint.kind === 'devtools' ? endpoint.place : endpoint.place({ ...profile, proxy: proxy.server })
      // One for each profile, also of one Chromium: a page can make the browser send what ends a connection.
      const opened = await openBrowserLink(place, { limitMs, signal, log })
      link = opened
      links.add(opened)
      opened.connection.browser.ended.addEventListener('abort', () => links.delete(opened), { once: true })
      return { ...(await openProfileBrowser(link, { guard, proxy, log, isShared, onRefused })), kind: endpoint.kind }
    } catch (error) {
      proxy.close()
      link?.connection.close('it could not be set up')
      throw error
    }
  }
  return {
    async open(request, signal) {
      try {
        const opened = await open(request, signalWithin(limitMs + 30_000, signal, dependencies.signal))
        state = { reachable: 'yes', reason: null, kind: opened.kind }
        return opened
      } catch (error) {
        if (!signal.aborted) state = { reachable: 'no', reason: error instanceof Error ? error.message : 'unknown', kind: null }
        throw error
      }
    },
    state: () => state,
    close() {
      for (const link of links) link.connection.close('the service stops')
    },
  }
}
