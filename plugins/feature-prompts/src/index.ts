import { definePlugin, type Plugin } from '@agent-service/sdk'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { auditService } from '@agent-service/sdk/services/audit'
import { clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { policyService } from '@agent-service/sdk/services/policy'
import { createPromptMetrics } from './common/metrics.js'
import { panels } from './console-panels.js'
import { createChangeRoutes } from './routes/change-routes.js'
import { createReadRoutes } from './routes/read-routes.js'
import { createPromptChanges } from './service/prompt-changes.js'
import { createPromptList } from './service/prompt-list.js'
import { collections } from './store/prompt.js'
import { createPurgeJob } from './store/purge.js'
import { createPromptUserData } from './user-data.js'

/** Texts that people write again and again, saved behind a short command. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-prompts',
    apiVersion: 1,
    description: 'Saved prompts with a short command.',
    contributes: ['console.panel', 'http.route', 'scheduler.job', 'user.data'],
    routes: ['/api/admin/prompts', '/api/prompts'],
    tags: { prompts: 'Texts that a person writes again and again, saved behind a short command.' },
  },
  collections: [...collections],
  setup(context) {
    for (const panel of panels) context.contribute(consolePanels, panel)
    const [database, clock] = [context.use(databaseService), context.use(clockService)]
    const [accounts, policies] = [context.use(accountsService), context.use(policyService)]
    const list = createPromptList({ database, clock, accounts })
    const changes = createPromptChanges({ database, clock, audit: context.use(auditService) })
    const metrics = createPromptMetrics(context.use(metricsService))
    for (const route of [...createReadRoutes(list, metrics), ...createChangeRoutes({ changes, list, policies })])
      context.contribute(httpRoutes, route)
    context.contribute(schedulerJobs, createPurgeJob({ database, clock }))
    context.contribute(userData, createPromptUserData({ database }))
  },
})
export default plugin
