import { describeProviderFaults, requestTo } from '@agent-service/sdk/testing'
import { createTestAdapter } from '../test-support/adapter.js'
import {
  added,
  callItem,
  completed,
  created,
  done,
  itemEvents,
  messageItem,
  responseEvent,
  textDelta,
  wholeResponse,
} from '../test-support/responses-wire.js'

const joined = (...events: Parameters<typeof responseEvent>[0][]): Uint8Array => Buffer.concat(events.map(responseEvent))
const message = messageItem('Hello, world')

describeProviderFaults({
  name: 'responses',
  create: createTestAdapter,
  request: (baseUrl) => requestTo(baseUrl, { protocol: 'responses' }),
  wire: {
    contentType: 'text/event-stream',
    text: joined(created, added(0, { ...message, content: [] }), textDelta(0, 'Hello, ')),
    end: joined(textDelta(0, 'world'), done(0, message), completed([message])),
    halfCall: joined(created, ...itemEvents(0, callItem('call_1', 'get_time', '{"timezone":"Europe/Berlin"}')).slice(0, 3)),
    overloaded: joined({ type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'Too many' } } }),
    noMoney: joined({
      type: 'error',
      error: { type: 'insufficient_quota', code: 'credit_balance_exhausted', message: 'No credit is left.', param: null },
    }),
    errorBody: (words) => JSON.stringify({ error: { message: words, type: 'made_up', param: null, code: null } }),
    whole: JSON.stringify(wholeResponse([message])),
  },
})
