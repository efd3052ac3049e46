import { definePlugin, Type } from '@agent-service/sdk'
import { type HttpClient, httpClientService } from '@agent-service/sdk/services/http-client'
import { type Inference, inferenceService } from '@agent-service/sdk/services/inference'

/** What the plugin was given when it last started. */
export let given: { readonly client: HttpClient; readonly inference: Inference } | undefined

/** A plugin that hands its services to the test. */
export default definePlugin({
  manifest: {
    id: 'kits-for-tests',
    apiVersion: 1,
    description: 'Hands its services to a test.',
    requires: ['inference'],
    config: Type.Object({ reachable: Type.Array(Type.String(), { default: [] }) }),
    permissions: [
      { kind: 'network', targets: ['*'], targetsFromConfiguration: ['/reachable'], reason: 'Requests to wherever the test wants.' },
    ],
  },
  setup(context) {
    given = { client: context.use(httpClientService), inference: context.use(inferenceService) }
  },
})
