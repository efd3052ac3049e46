import { definePlugin, type Plugin } from '@agent-service/sdk'
import { createMissLimit } from '@agent-service/sdk/addresses'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { defineJob, schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { tools } from '@agent-service/sdk/contracts/tool'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { auditService } from '@agent-service/sdk/services/audit'
import { chatsService } from '@agent-service/sdk/services/chats'
import { clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { policyService } from '@agent-service/sdk/services/policy'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { shareLinksService } from '@agent-service/sdk/services/share-links'
import { urlService } from '@agent-service/sdk/services/urls'
import { userFilesService } from '@agent-service/sdk/services/user-files'
import { createShareMetrics } from './common/share-metrics.js'
import { createSharedFiles } from './common/shared-files.js'
import { panels } from './console-panels.js'
import { createShareService } from './minting/share-service.js'
import { tooManyMissesError } from './opening/errors.js'
import { createUseCounts } from './opening/use-counts.js'
import { createContentRoute } from './routes/content-route.js'
import { createCountsRoute } from './routes/counts-route.js'
import { createPageRoute } from './routes/page-route.js'
import { createShareRoutes } from './routes/share-routes.js'
import { createShareLinks } from './share-links.js'
import { shareSection } from './share-section.js'
import { createShareTools } from './share-tools.js'
import { deleteExpired } from './store/delete-shares.js'
import { shareCollection, snapshotCollection } from './store/share.js'
import { collections, createShareUserData } from './user-data.js'

/** Short links to files and chats, for people without an account. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-share',
    apiVersion: 1,
    description: 'Short links to files and chats.',
    contributes: ['console.panel', 'http.route', 'scheduler.job', 'tool', 'user.data'],
    provides: ['share-links'],
    optional: ['chats'],
    sections: { share: shareSection },
    routes: ['/api/admin/shares', '/api/shares', '/p', '/s'],
    tags: { shares: 'Short links to files and chats that work without a sign-in until they expire.' },
    storage: { uses: ['files', 'workspaces'] },
    permissions: [
      {
        kind: 'files',
        targets: ['users/*/files', 'users/*/workspaces'],
        reason: 'Reads the files that people and their agents share by links.',
      },
    ],
  },
  collections: [...collections],
  setup(context) {
    for (const panel of panels) context.contribute(consolePanels, panel)
    const { log } = context
    const settings = context.config.share
    const database = context.use(databaseService)
    const clock = context.use(clockService)
    const accounts = context.use(accountsService)
    const policies = context.use(policyService)
    const urls = context.use(urlService)
    const shares = database.collection(shareCollection)
    const snapshots = database.collection(snapshotCollection)
    const metrics = createShareMetrics(context.use(metricsService))
    const files = createSharedFiles({ files: context.use(userFilesService), policies })
    const uses = createUseCounts({ database, clock, log })
    context.onStopping(() => uses.flush())
    const chats = context.use(chatsService)
    const service = createShareService({
      ...{ database, clock, accounts, files, metrics, audit: context.use(auditService), urls },
      chats,
      ttlSeconds: settings.ttl_secs,
    })
    // A download keeps its file open for as long as the client reads.
    const downloads = context.use(quotasService).limit({
      ...{ name: 'share-downloads', counts: 'downloads of links', maxPerHolder: 32, maxTotal: 512 },
      waiting: { maxPerHolder: 32, maxTotal: 512, maxMs: 10_000 },
    })
    const misses = createMissLimit({ clock, refuse: (refusal) => tooManyMissesError.create({}, refusal) })
    const parts = { shares, accounts, clock, chats, uses, metrics, misses }
    for (const route of [
      createContentRoute({ parts, files, snapshots, downloads }),
      createPageRoute({ parts, files, snapshots, downloads, urls }),
      createCountsRoute({ shares, clock }),
      ...createShareRoutes({ service, policies, clock, uses }),
    ])
      context.contribute(httpRoutes, route)
    context.provide(shareLinksService, createShareLinks({ service, policies }))
    for (const tool of createShareTools({ service, policies })) context.contribute(tools, tool)
    context.contribute(
      schedulerJobs,
      defineJob({
        id: 'feature-share.clean-up',
        title: 'Delete expired links',
        everySeconds: settings.cleanup_interval_secs,
        timeoutSeconds: 300,
        async run({ signal }) {
          metrics.cleaned(await deleteExpired(database, { now: clock.now(), signal }))
        },
      }),
    )
    context.contribute(userData, createShareUserData({ database }))
  },
})
export default plugin
