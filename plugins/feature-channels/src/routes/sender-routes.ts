import { Type } from '@agent-service/sdk'
import {
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageOfList,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { channelStateError } from '../common/errors.js'
import type { SenderService } from '../connections/sender-service.js'
import type { SenderRole, SenderState } from '../store/sender.js'
import { type ConnectionRoutesDependencies, connectionParams, type RouteSet, tags } from './connection-routes.js'
import { approvalSchema, newSenderSchema, senderSchema, viewOfSender } from './schemas.js'

export interface SenderRoutesDependencies extends ConnectionRoutesDependencies {
  readonly senders: SenderService
}

/** Who may write over a connection, and who asks for it. */
export function createSenderRoutes(dependencies: SenderRoutesDependencies, set: RouteSet): readonly HttpRoute[] {
  const { parts, connections, senders } = dependencies
  const { prefix, auth, word } = set
  const base = `${prefix}/{connection_id}`
  const params = Type.Object(connectionParams)
  const demand = connections.demand
  const audit = async (request: Parameters<RouteSet['ownerOf']>[0], kind: string, id: string, senderId: string): Promise<void> => {
    if (set.ownerOf(request) === null)
      await parts.database.transaction(async (transaction) =>
        parts.audit.record(transaction, { kind, subject: id, details: { person: senderId } }),
      )
  }
  const listRoute = (what: 'pairings' | 'senders', state: SenderState | undefined): HttpRoute =>
    defineRoute({
      method: 'GET',
      path: `${base}/${what}`,
      operationId: `list${word}${what === 'pairings' ? 'Pairings' : 'Senders'}`,
      summary: what === 'pairings' ? 'List the people who ask to be let in' : 'List the people of a connection',
      tags,
      auth,
      params,
      query: pageQuerySchema,
      errors: [notFoundError],
      answers: { 200: { description: 'One page.', schema: pageSchema(senderSchema) } },
      async handle({ params: { connection_id: id }, query, ...request }) {
        const connection = await demand(set.ownerOf(request), id)
        const { items, next_cursor } = pageOfList(await senders.list(connection, state), (sender) => sender.id, query)
        return ok({ items: items.map(viewOfSender), next_cursor })
      },
    })
  const pairing = Type.Object({ ...connectionParams, pairing_id: Type.String({ minLength: 1, maxLength: 100 }) })
  const ofPeople: readonly HttpRoute[] = [
    defineRoute({
      method: 'POST',
      path: `${base}/pairings/{pairing_id}/approve`,
      operationId: `approve${word}Pairing`,
      summary: 'Let a person in',
      description:
        'What they have written meanwhile goes to the agent. With the role `owner` it is you: such a person may also approve what agents ask. Default: `guest`.',
      tags,
      auth,
      params: pairing,
      body: { kind: 'json', schema: approvalSchema, example: { role: 'owner' } },
      errors: [notFoundError, channelStateError],
      answers: { 200: { description: 'The person.', schema: senderSchema } },
      async handle({ params: { connection_id: id, pairing_id: pairingId }, body, ...request }) {
        const connection = await demand(set.ownerOf(request), id)
        return ok(viewOfSender(await senders.approve(connection, pairingId, (body.role ?? 'guest') as SenderRole)))
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/senders`,
      operationId: `add${word}Sender`,
      summary: 'Let a person in by their id at the vendor',
      tags,
      auth,
      params,
      body: { kind: 'json', schema: newSenderSchema, example: { sender_id: '4711', name: 'Ada', role: 'owner' } },
      errors: [notFoundError, quotaExceededError, channelStateError],
      answers: { 201: { description: 'The person.', schema: senderSchema } },
      async handle({ params: { connection_id: id }, body, ...request }) {
        const connection = await demand(set.ownerOf(request), id)
        const { sender_id: senderId, name = '', role = 'guest' } = body
        return created(viewOfSender(await senders.add(connection, { sender_id: senderId, name, role: role as SenderRole })))
      },
    }),
  ]
  return [
    listRoute('pairings', 'pending'),
    listRoute('senders', undefined),
    ...(auth === 'user' ? ofPeople : []),
    defineRoute({
      method: 'POST',
      path: `${base}/pairings/{pairing_id}/deny`,
      operationId: `deny${word}Pairing`,
      summary: 'Refuse a person',
      description: 'They get no answer any more, until they are removed from the people of the connection.',
      tags,
      auth,
      params: pairing,
      errors: [notFoundError],
      answers: { 200: { description: 'The person.', schema: senderSchema } },
      async handle({ params: { connection_id: id, pairing_id: pairingId }, ...request }) {
        const denied = await senders.deny(await demand(set.ownerOf(request), id), pairingId)
        await audit(request, 'channel.person_denied', id, denied.sender_id)
        return ok(viewOfSender(denied))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/senders/{sender_id}`,
      operationId: `remove${word}Sender`,
      summary: 'Forget a person',
      description: 'They are as unknown as at first. What they write does not reach the agent any more.',
      tags,
      auth,
      params: Type.Object({
        ...connectionParams,
        sender_id: Type.String({ minLength: 1, maxLength: 100, description: 'The `id` of the person here.' }),
      }),
      errors: [notFoundError],
      answers: { 204: { description: 'Forgotten.' } },
      async handle({ params: { connection_id: id, sender_id: senderId }, ...request }) {
        await senders.remove(await demand(set.ownerOf(request), id), senderId)
        await audit(request, 'channel.person_removed', id, senderId)
        return noContent()
      },
    }),
  ]
}
