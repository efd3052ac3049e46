import type { EventStreams } from '@agent-service/kernel-core/events'
import { createEventTypes } from '@agent-service/kernel-core/events'
import { validate } from '@agent-service/sdk'
import type { RouteRequest, ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { createEventRoutes } from './event-routes.js'

describe('GET /api/events', () => {
  const opened: { readonly userId: string; readonly after?: number; readonly chatId?: string }[] = []
  const streams: EventStreams = {
    open(userId, { after, chatId }) {
      opened.push({ userId, ...(after === undefined ? {} : { after }), ...(chatId === undefined ? {} : { chatId }) })
      return (async function* (): AsyncGenerator<ServerSentEvent> {
        yield { comment: 'open' }
      })()
    },
  }
  const route = createEventRoutes({ streams, types: createEventTypes([]) }).find(({ operationId }) => operationId === 'streamEvents')

  const positionFor = async (query: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) => {
    if (!route?.query) throw new Error('The route has no query.')
    expect(validate(route.query, query)).to.deep.equal([])
    const request: RouteRequest = {
      method: 'GET',
      path: '/api/events',
      params: {},
      query,
      headers,
      body: undefined,
      principal: { userId: 'user-1', username: 'ada', handle: 'ada', role: 'user', scopes: ['read'] },
      requestId: 'request-1',
      address: '127.0.0.1',
      loopback: true,
      signal: new AbortController().signal,
    }
    const answer = await route.handle(request)
    expect(answer).to.include({ status: 200, kind: 'events' })
    return opened.pop()
  }

  it('is a stream for users', () => {
    expect(route).to.include({ streaming: true, auth: 'user', method: 'GET', path: '/api/events' })
  })

  it('opens the stream of the caller, live', async () => {
    expect(await positionFor({})).to.deep.equal({ userId: 'user-1' })
  })

  it('continues after Last-Event-ID, which takes precedence over the query', async () => {
    expect(await positionFor({ after: '7' })).to.deep.equal({ userId: 'user-1', after: 7 })
    expect(await positionFor({ after: '7' }, { 'last-event-id': '9' })).to.deep.equal({ userId: 'user-1', after: 9 })
    expect(await positionFor({ chat_id: 'c', after: '0' }, { 'last-event-id': '' })).to.deep.equal({
      userId: 'user-1',
      chatId: 'c',
      after: 0,
    })
  })

  for (const id of ['nonsense', '-1', '1.5', '0x10', '99999999999999999999', '9999999999999999', ' 7']) {
    it(`treats the id ${JSON.stringify(id)} as one that never existed`, async () => {
      expect(await positionFor({}, { 'last-event-id': id })).to.deep.equal({ userId: 'user-1', after: Number.MAX_SAFE_INTEGER })
    })
  }

  it('refuses a position in the query that is not a decimal number', () => {
    for (const after of ['x', '-1', '1.5', '', '12345678901234567']) {
      expect(validate(route?.query ?? {}, { after }), after).not.to.deep.equal([])
    }
  })
})
