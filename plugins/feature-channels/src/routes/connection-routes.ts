import { type JsonObject, Type } from '@agent-service/sdk'
import { channels } from '@agent-service/sdk/contracts/channel'
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
  type RouteRequest,
} from '@agent-service/sdk/contracts/http-route'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { callerOf } from '../common/caller.js'
import { channelUnknownError } from '../common/errors.js'
import type { ConnectionInput, ConnectionOwner, ConnectionService } from '../connections/connection-service.js'
import { testConnection } from '../connections/test-connection.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { webhookUrlOf } from '../sessions/open-connection.js'
import type { Connection } from '../store/connection.js'
import {
  changeConnectionSchema,
  connectionSchema,
  deliverySchema,
  newConnectionSchema,
  viewOfConnection,
  viewOfDelivery,
} from './schemas.js'

/** One of the two sets of routes: what people have, and what administrators share. */
export interface RouteSet {
  readonly prefix: string
  readonly auth: 'user' | 'admin'
  /** What the names of operations have after their verb. */
  readonly word: string
  /** What summaries say after “a connection”. */
  readonly of: string
  ownerOf(request: Pick<RouteRequest, 'principal'>): ConnectionOwner
}

export const routeSets: readonly RouteSet[] = [
  {
    ...{ prefix: '/api/channels/connections', auth: 'user', word: 'Channel', of: '' },
    ownerOf: (request) => callerOf(request).userId,
  },
  { ...{ prefix: '/api/admin/channels/connections', auth: 'admin', word: 'SharedChannel', of: ' of the service' }, ownerOf: () => null },
]

export const tags = ['channels']
export const connectionParams = { connection_id: Type.String({ minLength: 1, maxLength: 100 }) }

export interface ConnectionRoutesDependencies {
  readonly parts: ChannelParts
  readonly connections: ConnectionService
  readonly onDelivery: (connectionId: string, line: string) => void
}

const defaults: Omit<ConnectionInput, 'title' | 'members'> = {
  ...{ agent_id: null, access: 'pairing', mention_required: true, answer_bots: false, guest_tools: [], retry: null, enabled: true },
}

/** What people do with connections to channels. */
export function createConnectionRoutes(dependencies: ConnectionRoutesDependencies, set: RouteSet): readonly HttpRoute[] {
  const { parts, connections, onDelivery } = dependencies
  const { prefix, auth, word, of } = set
  const path = `${prefix}/{connection_id}`
  const params = Type.Object(connectionParams)
  const view = (connection: Connection) => viewWith(parts, connection)
  const base = { tags, auth } as const
  return [
    defineRoute({
      ...{ ...base, method: 'GET', path: prefix, operationId: `list${word}Connections`, summary: `List the connections to channels${of}` },
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(connectionSchema) } },
      async handle({ query, ...request }) {
        const { items, next_cursor } = pageOfList(await connections.list(set.ownerOf(request)), ({ id }) => id, query)
        return ok({ items: await Promise.all(items.map(view)), next_cursor })
      },
    }),
    defineRoute({
      ...{ ...base, method: 'POST', path: prefix, operationId: `create${word}Connection`, summary: `Make a connection to a channel${of}` },
      description: 'Secret members are stored encrypted and never shown again. It connects at once; its `state` says how that goes.',
      body: { kind: 'json', schema: newConnectionSchema, example: { channel: 'telegram', title: 'Town bot', members: { token: '…' } } },
      errors: [channelUnknownError, quotaExceededError],
      answers: { 201: { description: 'The connection.', schema: connectionSchema } },
      async handle({ body, ...request }) {
        const { channel, ...input } = body
        const given = { ...defaults, ...(input as unknown as ConnectionInput) }
        return created(await view(await connections.create(set.ownerOf(request), channel, given)))
      },
    }),
    defineRoute({
      ...{ ...base, method: 'GET', path, operationId: `get${word}Connection`, summary: `Get a connection to a channel${of}`, params },
      errors: [notFoundError],
      answers: { 200: { description: 'The connection.', schema: connectionSchema } },
      handle: async ({ params: { connection_id: id }, ...request }) => ok(await view(await connections.demand(set.ownerOf(request), id))),
    }),
    defineRoute({
      ...{
        ...base,
        method: 'PATCH',
        path,
        operationId: `change${word}Connection`,
        summary: `Change a connection to a channel${of}`,
        params,
      },
      description: 'With `members` all of them are replaced, the secrets too, so that no stored secret is sent to another address.',
      body: { kind: 'json', schema: changeConnectionSchema, example: { access: 'allow_list' } },
      errors: [notFoundError, channelUnknownError],
      answers: { 200: { description: 'The connection.', schema: connectionSchema } },
      handle: async ({ params: { connection_id: id }, body, ...request }) =>
        ok(await view(await connections.change(set.ownerOf(request), id, body as unknown as Partial<ConnectionInput>))),
    }),
    defineRoute({
      ...{
        ...base,
        method: 'DELETE',
        path,
        operationId: `delete${word}Connection`,
        summary: `Delete a connection to a channel${of}`,
        params,
      },
      description: 'With its people, messages that wait, and the list of what was sent. The chats stay.',
      errors: [notFoundError],
      answers: { 204: { description: 'Deleted.' } },
      async handle({ params: { connection_id: id }, ...request }) {
        await connections.delete(set.ownerOf(request), id)
        return noContent()
      },
    }),
    defineRoute({
      ...{ ...base, method: 'POST', path: `${path}/retry`, operationId: `retry${word}Connection`, summary: 'Connect now', params },
      description: 'Also one that has failed for good.',
      rateClass: 'expensive',
      errors: [notFoundError],
      answers: { 200: { description: 'The connection, as it begins.', schema: connectionSchema } },
      handle: async ({ params: { connection_id: id }, ...request }) => ok(await view(await connections.retry(set.ownerOf(request), id))),
    }),
    defineRoute({
      ...{ ...base, method: 'POST', path: `${path}/test`, operationId: `test${word}Connection`, summary: 'Test a connection', params },
      description:
        'Connects now if it is not connected, waits for the outcome, and sends a test message to the conversation in which its owner wrote last, if there is one. `state` and `failure` say how it went.',
      rateClass: 'expensive',
      errors: [notFoundError],
      answers: {
        200: {
          description: 'The connection, and the test message.',
          schema: Type.Object({ connection: connectionSchema, delivery: Type.Union([deliverySchema, Type.Null()]) }),
        },
      },
      async handle({ params: { connection_id: id }, signal, ...request }) {
        const tested = await testConnection({ parts, connections, onDelivery }, { owner: set.ownerOf(request), id, signal })
        return ok({ connection: await view(tested.connection), delivery: tested.delivery ? viewOfDelivery(tested.delivery) : null })
      },
    }),
  ]
}

async function viewWith(parts: ChannelParts, connection: Connection): Promise<JsonObject> {
  const channel = parts.contributions.list(channels).find(({ key }) => key === connection.channel)
  const webhookUrl = channel?.value.supports.webhook ? await webhookUrlOf(parts, connection) : null
  return viewOfConnection(connection, { isAbsent: channel === undefined, webhookUrl }) as unknown as JsonObject
}
