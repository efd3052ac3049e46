import { channels } from '@agent-service/sdk/contracts/channel'
import { defineRoute, type HttpRoute, ok, pageOfList, pageQuerySchema, pageSchema } from '@agent-service/sdk/contracts/http-route'
import type { ChannelParts } from '../parts/channel-parts.js'
import { tags } from './connection-routes.js'
import { channelSchema, viewOfChannel } from './schemas.js'

/** The channels that can be connected. */
export const createChannelsRoute = ({ contributions }: Pick<ChannelParts, 'contributions'>): HttpRoute =>
  defineRoute({
    method: 'GET',
    path: '/api/channels',
    operationId: 'listChannels',
    summary: 'List the channels that can be connected',
    description: 'Each with the steps of setting it up at the vendor, and the form of its connections.',
    tags,
    auth: 'user',
    query: pageQuerySchema,
    answers: { 200: { description: 'One page.', schema: pageSchema(channelSchema) } },
    async handle({ query }) {
      const all = contributions.list(channels).map(({ value }) => value)
      const { items, next_cursor } = pageOfList(all, ({ id }) => id, query)
      return ok({ items: items.map(viewOfChannel), next_cursor })
    },
  })
