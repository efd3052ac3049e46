import { definePlugin, type Plugin } from '@agent-service/sdk'
import { tools } from '@agent-service/sdk/contracts/tool'
import { clockService } from '@agent-service/sdk/services/clock'
import { documentsService } from '@agent-service/sdk/services/documents'
import { httpClientService } from '@agent-service/sdk/services/http-client'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { pageRenderingService } from '@agent-service/sdk/services/page-rendering'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { createUserLimits } from './user-limits.js'
import { createWebFetchTool } from './web-fetch-tool.js'
import { createWebMetrics } from './web-metrics.js'
import { createWebPages } from './web-pages.js'

/** Pages of the web as a tool. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'tool-web',
    apiVersion: 1,
    description: 'Reading pages of the web as a tool.',
    contributes: ['tool'],
    optional: ['documents', 'page-rendering'],
    permissions: [{ kind: 'network', targets: ['*'], reason: 'Reads pages of the public web that agents ask for.' }],
  },
  setup(context) {
    const clock = context.use(clockService)
    const documents = context.use(documentsService)
    const rendering = context.use(pageRenderingService)
    const pages = createWebPages({
      ...{ documents, rendering, clock, http: context.use(httpClientService) },
      metrics: createWebMetrics(context.use(metricsService), clock),
      withinLimits: createUserLimits({ quotas: context.use(quotasService), clock }),
    })
    const abilities = { documents: documents !== undefined, rendering: rendering !== undefined }
    context.contribute(tools, createWebFetchTool(pages, abilities))
  },
})
export default plugin
