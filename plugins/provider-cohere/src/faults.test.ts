import { bytesOf, describeProviderFaults, requestTo } from '@agent-service/sdk/testing'
import { createTestAdapter } from './test-support/adapter.js'
import { callDelta, callStart, contentDelta, contentEnd, contentStart, done, event, messageEnd, messageStart } from './test-support/wire.js'

const joined = (...pieces: readonly Uint8Array[]): Uint8Array => Buffer.concat(pieces)

describeProviderFaults({
  name: 'cohere',
  create: createTestAdapter,
  request: (baseUrl) => requestTo(baseUrl, { protocol: 'cohere-chat' }),
  wire: {
    contentType: 'text/event-stream',
    text: joined(event(messageStart), event(contentStart(0, { type: 'text', text: '' })), event(contentDelta(0, { text: 'Hello, ' }))),
    end: joined(event(contentDelta(0, { text: 'world' })), event(contentEnd(0)), event(messageEnd('COMPLETE')), done),
    halfCall: joined(event(messageStart), event(callStart(0, 'call_1', 'get_time')), event(callDelta(0, '{"timezone":'))),
    overloaded: event({ type: 'message-end', delta: { finish_reason: 'ERROR' } }),
    noMoney: bytesOf(`event: error\ndata: ${JSON.stringify({ message: 'You are limited to 1000 API calls / month.', code: 429 })}\n\n`),
    errorBody: (words) => JSON.stringify({ id: 'x', message: words }),
    whole: JSON.stringify({
      id: 'answer-1',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Hello, world' }] },
      finish_reason: 'COMPLETE',
    }),
  },
})
