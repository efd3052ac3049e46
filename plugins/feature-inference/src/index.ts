import { definePlugin } from '@agent-service/sdk'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { inferenceService } from '@agent-service/sdk/services/inference'
import { usageService } from '@agent-service/sdk/services/usage'
import { inferenceSection } from './configuration/inference-section.js'
import { modelsSection } from './configuration/models-section.js'
import { providersSection } from './configuration/providers-section.js'
import { panels } from './console-panels.js'
import { earlierCredentials } from './credentials/earlier-credentials.js'
import { openInference } from './open-inference.js'
import { createUsage } from './usage/create-usage.js'
import { createPruneCallsJob } from './usage/prune-calls.js'
import { createUsageUserData, usageCollections } from './usage/usage-user-data.js'

/** Model groups, connections, retries: provides the services `inference` and `usage`. */
export default definePlugin({
  manifest: {
    id: 'feature-inference',
    apiVersion: 1,
    description: 'Model groups, connections and retries: the one way to call a model.',
    contributes: ['console.panel', 'http.route', 'scheduler.job', 'user.data'],
    provides: ['inference', 'usage'],
    requires: ['credentials'],
    optional: ['telemetry'],
    sections: { inference: inferenceSection, providers: providersSection, models: modelsSection },
    rules: './rules/index.js',
    tags: {
      credentials: 'API keys and accounts of the vendors of models. Only for administrators.',
      models: 'The model groups of the deployment, and the catalogue of known models and brands.',
      usage: 'What model calls used and cost, and budgets.',
    },
    routes: [
      '/api/models',
      '/api/usage',
      '/api/admin/usage',
      '/api/admin/budgets',
      '/api/catalogue',
      '/api/admin/catalogue',
      '/api/admin/credentials',
      '/api/admin/connections',
      '/api/admin/model-groups',
    ],
    permissions: [
      { kind: 'environment', reason: 'Looks for the standard variables of known providers, such as OPENAI_API_KEY.' },
      { kind: 'network', targets: ['models.dev'], reason: 'Refreshes the model catalogue when an administrator requests it.' },
    ],
  },
  collections: [...usageCollections, earlierCredentials],
  async setup(context) {
    for (const panel of panels) context.contribute(consolePanels, panel)
    const { inference, routes, database, clock, refusedParts, settled } = await openInference(context)
    context.provide(inferenceService, inference)
    context.provide(usageService, createUsage(database, settled))
    for (const route of routes) context.contribute(httpRoutes, route)
    context.contribute(userData, createUsageUserData(database, settled, refusedParts))
    context.contribute(schedulerJobs, createPruneCallsJob(database, clock))
  },
})
