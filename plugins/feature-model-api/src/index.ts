import { definePlugin } from '@agent-service/sdk'
import { httpErrorFormats } from '@agent-service/sdk/contracts/http-error-format'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { agentsService } from '@agent-service/sdk/services/agents'
import { clockService } from '@agent-service/sdk/services/clock'
import { inferenceService } from '@agent-service/sdk/services/inference'
import { runsService } from '@agent-service/sdk/services/runs'
import { createRunAgentTurn } from './agents/agent-turn.js'
import { createPrepareAnswer } from './answers/prepare-answer.js'
import { createChatCompletionsRoute } from './chat-completions/chat-completions-route.js'
import { createEmbeddingsRoute } from './embeddings/embeddings-route.js'
import { openAiErrorFormat } from './error-format.js'
import { createListModelsRoute } from './models/list-models-route.js'
import { createRetrieveModelRoute, createRetrieveOwnedModelRoute } from './models/retrieve-model-route.js'
import { createVisibleModels } from './models/visible-models.js'
import { createResponsesRoute } from './responses/responses-route.js'
import { createSharedCalls } from './retries/shared-calls.js'
import { createTurnKeys } from './retries/turn-keys.js'

/**
 * Model groups and agents for every client that speaks an OpenAI protocol: everything below `/v1`.
 */
export default definePlugin({
  manifest: {
    id: 'feature-model-api',
    apiVersion: 1,
    description: 'Model groups and agents through the OpenAI protocols, for clients that speak them.',
    contributes: ['http.error-format', 'http.route'],
    requires: ['inference'],
    optional: ['agents', 'runs'],
    tags: { openai: 'The protocol of OpenAI, for programs that know it: model groups and agents as models.' },
    routes: ['/v1'],
  },
  setup(context) {
    const inference = context.use(inferenceService)
    const clock = context.use(clockService)
    const agents = context.use(agentsService, { optional: true })
    const runs = context.use(runsService, { optional: true })
    const { log } = context
    const sharedCalls = createSharedCalls({ clock })
    context.onDispose(() => sharedCalls.clear())
    const runAgentTurn = createRunAgentTurn({ agents, runs, inference, turnKeys: createTurnKeys({ clock }), log })
    const dependencies = { inference, clock, log, prepareAnswer: createPrepareAnswer({ inference, sharedCalls, runAgentTurn }) }
    const visibleModels = createVisibleModels({ inference, agents, clock })
    context.contribute(httpErrorFormats, openAiErrorFormat)
    context.contribute(httpRoutes, createListModelsRoute(visibleModels))
    context.contribute(httpRoutes, createRetrieveModelRoute(visibleModels))
    context.contribute(httpRoutes, createRetrieveOwnedModelRoute(visibleModels))
    context.contribute(httpRoutes, createChatCompletionsRoute(dependencies))
    context.contribute(httpRoutes, createResponsesRoute(dependencies))
    context.contribute(httpRoutes, createEmbeddingsRoute({ inference }))
  },
})
