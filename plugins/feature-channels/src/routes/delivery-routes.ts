import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, notFoundError, ok, pageQuerySchema, pageSchema } from '@agent-service/sdk/contracts/http-route'
import { channelStateError } from '../common/errors.js'
import { textOf } from '../common/time.js'
import { lineOfConversation } from '../outbox/new-delivery.js'
import { deliveryCollection } from '../store/delivery.js'
import { type ConnectionRoutesDependencies, connectionParams, type RouteSet, tags } from './connection-routes.js'
import { deliverySchema, viewOfDelivery } from './schemas.js'

/** What was sent over a connection, and how that went. */
export function createDeliveryRoutes(dependencies: ConnectionRoutesDependencies, set: RouteSet): readonly HttpRoute[] {
  const { parts, connections, onDelivery } = dependencies
  const { prefix, auth, word } = set
  return [
    defineRoute({
      method: 'GET',
      path: `${prefix}/{connection_id}/deliveries`,
      operationId: `list${word}Deliveries`,
      summary: 'List what was sent over a connection, newest first',
      description: 'Kept for 30 days.',
      tags,
      auth,
      params: Type.Object(connectionParams),
      query: pageQuerySchema,
      errors: [notFoundError],
      answers: { 200: { description: 'One page.', schema: pageSchema(deliverySchema) } },
      async handle({ params: { connection_id: id }, query: { limit = 50, cursor }, ...request }) {
        await connections.demand(set.ownerOf(request), id)
        const page = await parts.database.collection(deliveryCollection).query({
          ...{ index: 'by_connection', equals: [id], order: 'descending', limit },
          ...(cursor !== undefined && { cursor }),
        })
        // What was said to others over a shared connection is theirs.
        const isShared = set.ownerOf(request) === null
        const items = page.items.map((delivery) => viewOfDelivery(isShared ? { ...delivery, text: '', file: null } : delivery))
        return ok({ items, next_cursor: page.nextCursor ?? null })
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${prefix}/{connection_id}/deliveries/{delivery_id}/resend`,
      operationId: `resend${word}Delivery`,
      summary: 'Send a message again',
      description: 'One that failed, or whose outcome is not known: then the person may get it twice.',
      tags,
      auth,
      params: Type.Object({ ...connectionParams, delivery_id: Type.String({ minLength: 1, maxLength: 100 }) }),
      errors: [notFoundError, channelStateError],
      answers: { 200: { description: 'The delivery, as it waits.', schema: deliverySchema } },
      async handle({ params: { connection_id: id, delivery_id: deliveryId }, ...request }) {
        const owner = set.ownerOf(request)
        const connection = await connections.demand(owner, id)
        const again = await parts.database.transaction(async (transaction) => {
          const stored = await transaction.get(deliveryCollection, deliveryId)
          if (stored?.connection_id !== id) throw notFoundError.create({ what: 'delivery' })
          if (stored.state !== 'failed' && stored.state !== 'unknown')
            throw channelStateError.create({
              reason: `This message is ${stored.state}. Only one that failed, or whose outcome is unknown, can be sent again.`,
            })
          if (stored.file !== null && stored.keeps === null)
            throw channelStateError.create({ reason: 'The file of this message is no longer kept. Have the agent send it again.' })
          const next = {
            ...stored,
            ...{
              state: 'queued' as const,
              attempts: 0,
              not_before: 0,
              doubt_since: null,
              failure: null,
              settled_at: null,
              created_at: textOf(parts.clock.now()),
            },
            line: lineOfConversation(id, stored.conversation_id),
          }
          transaction.put(deliveryCollection, next)
          if (owner === null)
            parts.audit.record(transaction, { kind: 'channel.delivery_resent', subject: id, details: { delivery_id: deliveryId } })
          return next
        })
        onDelivery(connection.id, again.line)
        return ok(viewOfDelivery(owner === null ? { ...again, text: '', file: null } : again))
      },
    }),
  ]
}
