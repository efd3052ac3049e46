import { definePlugin, type Plugin, type PluginContext } from '@agent-service/sdk'
import { tools } from '@agent-service/sdk/contracts/tool'
import { type HttpClient, httpClientService } from '@agent-service/sdk/services/http-client'
import { type Metrics, metricsService } from '@agent-service/sdk/services/metrics'
import { type Quotas, quotasService } from '@agent-service/sdk/services/quotas'
import toolWeb from '@agent-service/tool-web'

/** The tool `web_fetch` under another name, which also reads pages of this machine. */
const plugin: Plugin = definePlugin({
  manifest: {
    ...{ id: 'local', apiVersion: 1, description: 'Reads pages of this machine.' },
    ...{ contributes: ['tool'], optional: ['documents', 'page-rendering'] },
    permissions: [{ kind: 'network', targets: ['127.0.0.0/8'], reason: 'Reads the pages of a test.' }],
  },
  setup: (context) => toolWeb.setup(allowing(context as PluginContext)),
})
export default plugin

/** The names of what a plugin declares begin with its own. */
const allowing = (context: PluginContext): PluginContext => ({
  ...context,
  contribute: (point, value) => context.contribute(point, point.id === tools.id ? { ...value, name: 'local__fetch' } : value),
  use: ((...[reference, options]: Parameters<PluginContext['use']>) => {
    const service = context.use(reference, options)
    if (reference.id === httpClientService.id) return allowingPrivate(service as HttpClient)
    if (reference.id === metricsService.id) return ownMetrics(service as Metrics)
    return reference.id === quotasService.id ? ownLimits(service as Quotas) : service
  }) as PluginContext['use'],
})

const allowingPrivate = (client: HttpClient): HttpClient => ({
  request: (request, options) => client.request({ ...request, allowPrivate: true }, options),
  stream: (request, options) => client.stream({ ...request, allowPrivate: true }, options),
})

const ownMetrics = (metrics: Metrics): Metrics => ({
  ...metrics,
  counter: (definition) => metrics.counter({ ...definition, name: `local_${definition.name}` }),
  histogram: (definition) => metrics.histogram({ ...definition, name: `local_${definition.name}` }),
})

const ownLimits = (quotas: Quotas): Quotas => ({
  ...quotas,
  limit: (definition) => quotas.limit({ ...definition, name: `local-${definition.name}` }),
})
