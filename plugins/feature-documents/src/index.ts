import { definePlugin, type Plugin } from '@agent-service/sdk'
import { documentsService } from '@agent-service/sdk/services/documents'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { createDocuments, maxAtOnce } from './create-documents.js'
import { defaultReaderLimits } from './processes/reader-command.js'
import { createReaderPool } from './processes/reader-pool.js'

/** Documents as text. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-documents',
    apiVersion: 1,
    description: 'Makes text of documents: PDF, Office, web pages, e-mail and others.',
    provides: ['documents'],
    permissions: [{ kind: 'process', reason: 'Reads each document in a process with bounded memory and time.' }],
  },
  setup(context) {
    const pool = createReaderPool({
      log: context.log,
      limits: defaultReaderLimits,
      maxReaders: maxAtOnce,
      limitMs: 30_000,
      maxDocuments: 50,
      maxIdleMs: 20_000,
    })
    context.onDispose(() => pool.close())
    context.provide(documentsService, createDocuments({ pool, quotas: context.use(quotasService), metrics: context.use(metricsService) }))
  },
})
export default plugin
