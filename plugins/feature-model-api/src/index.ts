import { definePlugin } from '@agent-service/sdk'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { agentsService } from '@agent-service/sdk/services/agents'
import { clockService } from '@agent-service/sdk/services/clock'
import { inferenceService } from '@agent-service/sdk/services/inference'
import { runsService } from '@agent-service/sdk/services/runs'
import { createRunAgentTurn } from './agents/agent-turn.js'
import { createChatCompletionsRoute } from './chat-completions/chat-completions-route.js'
import { createModelsRoute } from './models-route.js'
import { createResponsesRoute } from './responses/responses-route.js'

/**
 * Model groups and agents for every client that speaks an OpenAI protocol: `/v1/chat/completions`,
 * `/v1/responses`, `/v1/models`.
 */
export default definePlugin({
  manifest: {
    id: 'feature-model-api',
    apiVersion: 1,
    description: 'Model groups and agents through the OpenAI protocols, for clients that speak them.',
    contributes: ['http.route'],
    requires: ['inference'],
    optional: ['agents', 'runs'],
    tags: { openai: 'The protocol of OpenAI, for programs that know it: model groups and agents as models.' },
    routes: ['/v1/chat/completions', '/v1/responses', '/v1/models'],
  },
  setup(context) {
    const inference = context.use(inferenceService)
    const clock = context.use(clockService)
    const agents = context.use(agentsService, { optional: true })
    const runs = context.use(runsService, { optional: true })
    const { log } = context
    const dependencies = { inference, clock, log, runAgentTurn: createRunAgentTurn({ agents, runs, inference, log }) }
    context.contribute(httpRoutes, createModelsRoute({ inference, agents, clock }))
    context.contribute(httpRoutes, createChatCompletionsRoute(dependencies))
    context.contribute(httpRoutes, createResponsesRoute(dependencies))
  },
})
