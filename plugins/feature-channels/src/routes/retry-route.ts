import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { ChannelParts } from '../parts/channel-parts.js'
import { tags } from './connection-routes.js'

const retrySettingsSchema = namedObject('ChannelRetrySettings', {
  max_retries: Type.Integer({ minimum: 0, description: 'The default is as good as unlimited.' }),
  initial_backoff_ms: Type.Integer({ minimum: 0 }),
  backoff_multiplier: Type.Number({ minimum: 1 }),
  max_backoff_ms: Type.Integer({ minimum: 0 }),
})

/** What holds for a connection that says nothing itself. */
export const createRetryRoute = ({ retry }: Pick<ChannelParts, 'retry'>): HttpRoute =>
  defineRoute({
    method: 'GET',
    path: '/api/channels/retry',
    operationId: 'getChannelRetrySettings',
    summary: 'Get how a lost connection is tried again',
    description: 'The settings `channel.retry` of the service. `retry` of a connection takes precedence.',
    tags,
    auth: 'user',
    answers: { 200: { description: 'The settings.', schema: retrySettingsSchema } },
    handle: async () => ok({ ...retry }),
  })
