import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { EventStreams } from './event-streams.js'

const decimal = /^[0-9]{1,16}$/

/** The stream of the caller's events. */
export function createEventRoutes({ streams }: { readonly streams: EventStreams }): readonly HttpRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/events',
      operationId: 'streamEvents',
      summary: "The caller's events, as server-sent events",
      description:
        'Each event has a decimal id that grows, with gaps. Last-Event-ID, or `after`, goes on behind that event; when what came in between is no longer kept, an event `reset` says so and the client reads its state again. A comment comes every 15 seconds.',
      tags: ['events'],
      auth: 'user',
      streaming: true,
      query: Type.Object({
        after: Type.Optional(
          Type.String({ pattern: '^[0-9]{1,16}$', description: 'For clients that cannot send Last-Event-ID, which wins.' }),
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

/** What is no position counts as one that was never given out, and is answered with a reset. */
function positionOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  return decimal.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : Number.MAX_SAFE_INTEGER
}
