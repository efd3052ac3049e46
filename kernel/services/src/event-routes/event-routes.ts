import { type EventStreams, type EventTypes, isDeltaName } from '@agent-service/kernel-core/events'
import { type JsonObject, namedObject, Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'

const eventTypeSchema = namedObject('EventType', {
  name: Type.String(),
  kind: Type.Union([Type.Literal('state'), Type.Literal('delta')]),
  plugin: Type.String({ description: 'The id of the plugin that publishes it.' }),
  description: Type.String(),
  schema: Type.Unknown({ description: 'The JSON Schema of its data.' }),
})

const decimal = /^[0-9]{1,16}$/

/** The stream of the caller's events, and the types of events. */
export function createEventRoutes(dependencies: { readonly streams: EventStreams; readonly types: EventTypes }): readonly HttpRoute[] {
  const { streams, types } = dependencies
  return [
    defineRoute({
      method: 'GET',
      path: '/api/events/types',
      operationId: 'listEventTypes',
      summary: 'List the types of events, with their schemas',
      description:
        'The types that the installed plugins declare, by name, for generators of clients. State events are kept for a while and can be resumed; deltas are only sent live.',
      tags: ['events'],
      auth: 'user',
      actors: actorKinds,
      answers: { 200: { description: 'The types.', schema: namedObject('EventTypes', { types: Type.Array(eventTypeSchema) }) } },
      async handle() {
        return ok({
          types: types.list().map(({ name, plugin, description, schema }) => ({
            ...{ name, plugin, description },
            kind: isDeltaName(name) ? 'delta' : 'state',
            schema: schema as unknown as JsonObject,
          })),
        })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/events',
      operationId: 'streamEvents',
      summary: "Stream the caller's events as server-sent events",
      description:
        'Each event has a decimal id. Ids increase, with gaps. With Last-Event-ID or `after` the stream continues after that event. If events in between are no longer kept, an event `reset` reports this, and the client has to read its state again. A comment is sent every 15 seconds. GET /api/events/types lists the schemas.',
      tags: ['events'],
      auth: 'user',
      actors: actorKinds,
      streaming: true,
      query: Type.Object({
        after: Type.Optional(
          Type.String({ pattern: '^[0-9]{1,16}$', description: 'For clients that cannot send Last-Event-ID, which takes precedence.' }),
        ),
        chat_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only events of this chat.' })),
      }),
      answers: { 200: { description: 'The stream.', contentType: 'text/event-stream' } },
      async handle({ principal, query, headers, signal }) {
        const userId = principal?.userId
        if (userId === undefined) throw new TypeError('The route of events was called without a principal.')
        const after = positionOf(headers['last-event-id'] || query.after)
        const events = streams.open(userId, {
          signal,
          ...(after === undefined ? {} : { after }),
          ...(query.chat_id === undefined ? {} : { chatId: query.chat_id }),
        })
        return { status: 200, kind: 'events', events }
      },
    }),
  ]
}

/**
 * Text that is not a position counts as a position that never existed: the stream begins with a
 * reset.
 */
function positionOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  return decimal.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : Number.MAX_SAFE_INTEGER
}
