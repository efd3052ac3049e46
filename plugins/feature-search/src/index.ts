import { definePlugin, type Plugin } from '@agent-service/sdk'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { tools } from '@agent-service/sdk/contracts/tool'
import { auditService } from '@agent-service/sdk/services/audit'
import { clockService } from '@agent-service/sdk/services/clock'
import { contributionsService } from '@agent-service/sdk/services/contributions'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { secretsService } from '@agent-service/sdk/services/secrets'
import { createSearchMetrics } from './common/metrics.js'
import { type SearchSettings, searchSection } from './common/search-section.js'
import { panels } from './console-panels.js'
import { createSearchCheck } from './doctor.js'
import { createSearchRoutes } from './routes/search-routes.js'
import { createWebSearch } from './searching/web-search.js'
import { createProviderSelection } from './selection/provider-selection.js'
import { createWebSearchTool } from './tool/web-search-tool.js'

/** Web search as a tool of agents, with the provider of the section `search`. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-search',
    apiVersion: 1,
    description: 'Web search as a tool of agents.',
    contributes: ['console.panel', 'doctor.check', 'http.route', 'tool'],
    sections: { search: searchSection },
    rules: './rules.js',
    routes: ['/api/admin/search', '/api/search'],
    tags: { search: 'Whether agents can search the web, and with what.' },
    permissions: [
      {
        kind: 'environment',
        targets: ['TAVILY_API_KEY', 'BRAVE_API_KEY'],
        reason: 'Hands the key of the chosen search provider to it, and that of an installed one.',
      },
    ],
  },
  setup(context) {
    for (const panel of panels) context.contribute(consolePanels, panel)
    const settings: SearchSettings = context.config.search
    context.contribute(doctorChecks, createSearchCheck(settings))
    // `agent-service doctor` has no other services.
    const contributions = context.use(contributionsService, { optional: true })
    if (!contributions) return
    const clock = context.use(clockService)
    const quotas = context.use(quotasService)
    const selection = createProviderSelection({ settings, contributions, secrets: context.use(secretsService) })
    const isAvailable = (): boolean => selection.choose().available
    const search = createWebSearch({
      ...{ selection, contributions, clock, log: context.log },
      metrics: createSearchMetrics(context.use(metricsService), isAvailable),
      concurrent: quotas.limit({
        ...{ name: 'web-searches', counts: 'web searches at a time', maxPerHolder: 4, maxTotal: 32 },
        waiting: { maxPerHolder: 8, maxTotal: 128, maxMs: 20_000 },
      }),
      perMinute: quotas.limit({ name: 'web-searches-per-minute', counts: 'web searches in a minute', maxPerHolder: 60 }),
    })
    context.contribute(tools, createWebSearchTool({ search, isAvailable }))
    for (const route of createSearchRoutes({ selection, search, audit: context.use(auditService), clock }))
      context.contribute(httpRoutes, route)
  },
})
export default plugin
