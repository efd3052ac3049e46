import type { Logger } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { createConnectionShares } from '@agent-service/sdk/egress-proxy'
import type { AgentCredentials } from '@agent-service/sdk/services/agent-credentials'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Metrics } from '@agent-service/sdk/services/metrics'
import { type PageRendering, pageRenderingUnavailableError } from '@agent-service/sdk/services/page-rendering'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import type { Quotas } from '@agent-service/sdk/services/quotas'
import type { Urls } from '@agent-service/sdk/services/urls'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { type BrowserPool, createBrowserPool, type PoolState } from '../browsers/browser-pool.js'
import { limits } from '../common/limits.js'
import { type BrowserMetrics, createBrowserMetrics } from '../common/metrics.js'
import type { BrowserSettings } from '../configuration/browser-section.js'
import { createPageGuard, type GuardOptions } from '../network/page-guard.js'
import { createOpenProfiles, type OpenProfiles } from '../profiles/open-profiles.js'
import type { StoredProfiles } from '../profiles/stored-profiles.js'
import { createPageRendering } from '../rendering/page-rendering.js'
import { createManagement } from '../service/management.js'
import { createSessionRegistry, type SessionRegistry } from '../sessions/session-registry.js'
import { createBrowserCalls } from '../tools/common/browser-calls.js'
import { createBrowserWorkspace } from '../tools/common/workspace.js'
import { createFileTools } from '../tools/file-tools.js'
import { createFillTool } from '../tools/fill-tool.js'
import { createInputTools } from '../tools/input-tools.js'
import { createLookTools } from '../tools/look-tools.js'
import { createNavigationTools } from '../tools/navigation-tools.js'

/** What the plugin is made of. */
export interface BrowserParts {
  /** None without a browser service. */
  readonly tools: readonly Tool[]
  readonly registry: SessionRegistry
  readonly profiles: OpenProfiles | undefined
  readonly rendering: PageRendering
  /** What is known of the service; `undefined` without one. */
  state(): PoolState | undefined
  /** Closes the sessions, and opens none any more. */
  end(): Promise<void>
  /** Ends the connections. */
  close(): void
}

/** The rendering of a service without a browser. */
export const withoutBrowser: PageRendering = {
  available: () => false,
  render: async () => {
    throw pageRenderingUnavailableError.create({ reason: 'no browser service is configured (browser.ws_url)' })
  },
}

const noSessions: SessionRegistry = {
  use: async () => {
    throw new Error('There is no browser service.')
  },
  list: () => [],
  close: async () => 0,
  end: async () => undefined,
}

interface Dependencies {
  readonly settings: BrowserSettings
  readonly stored: StoredProfiles
  readonly clock: Clock
  readonly quotas: Quotas
  readonly metrics: Metrics
  readonly policies: PolicyService
  readonly files: UserFiles
  readonly urls: Urls
  readonly credentials: AgentCredentials | undefined
  readonly guardOptions: GuardOptions
  readonly log: Logger
  readonly signal: AbortSignal
}

export function createBrowserParts(dependencies: Dependencies): BrowserParts {
  const { settings, stored, clock, quotas, policies, files, urls, credentials, guardOptions, log, signal } = dependencies
  const { ws_url } = settings
  if (ws_url === undefined)
    return {
      ...{ tools: [], registry: noSessions, profiles: undefined, rendering: withoutBrowser, state: () => undefined },
      ...{ end: async () => undefined, close: () => undefined },
    }
  const guard = createPageGuard(urls, guardOptions)
  const management = createManagement({ ...settings, ws_url })
  const metrics = createBrowserMetrics(dependencies.metrics, () => registry.list().length)
  const pool = measured(
    createBrowserPool({ settings: { ...settings, ws_url }, management, guard, log, signal, onRefused: () => metrics.refused() }),
    { metrics, clock },
  )
  const shares = createConnectionShares({ owner: 256, total: 2_048 })
  const takePlaceOf = (owner: string) => shares.of(owner)
  const profiles = createOpenProfiles({ pool, stored, takePlaceOf, log, signal })
  const registry = createSessionRegistry({
    ...{ profiles, clock, log },
    limit: quotas.limit({
      ...{ name: 'browser-sessions', counts: 'browser sessions', displaceIdleMs: 60_000 },
      ...{ maxPerHolder: limits.maxSessionsPerUser, maxTotal: limits.maxSessions },
    }),
  })
  const renderings = quotas.limit({
    ...{ name: 'browser-renderings', counts: 'pages rendered at a time' },
    ...{ maxPerHolder: limits.maxRenderingsPerUser, maxTotal: limits.maxRenderings },
    waiting: { maxPerHolder: 8, maxTotal: 40, maxMs: 20_000 },
  })
  const calls = createBrowserCalls({ registry, policies, credentials, metrics })
  const workspace = createBrowserWorkspace({ files, policies })
  return {
    tools: [
      ...createNavigationTools({ calls, guard, registry }),
      ...createLookTools({ calls }),
      ...createInputTools({ calls }),
      createFillTool({ calls, credentials }),
      ...createFileTools({ calls, workspace, guard }),
    ],
    registry,
    profiles,
    rendering: createPageRendering({ pool, guard, limit: renderings, takePlaceOf, metrics }),
    state: () => pool.state(),
    end: () => registry.end(),
    close: () => pool.close(),
  }
}

/** Counts how long browsers take to open. */
function measured(
  pool: BrowserPool,
  { metrics, clock }: { readonly metrics: Pick<BrowserMetrics, 'opened'>; readonly clock: Clock },
): BrowserPool {
  return {
    ...pool,
    async open(request, signal) {
      const began = clock.monotonic()
      try {
        const opened = await pool.open(request, signal)
        metrics.opened('done', clock.monotonic() - began)
        return opened
      } catch (error) {
        if (!signal.aborted) metrics.opened('failed', clock.monotonic() - began)
        throw error
      }
    },
  }
}
