import { describeProviderFaults, requestTo } from '@agent-service/sdk/testing'
import { createTestAdapter } from './test-support/adapter.js'
import { end, line, ndjson, piece, whole } from './test-support/wire.js'

describeProviderFaults({
  name: 'ollama',
  create: createTestAdapter,
  request: (baseUrl) => requestTo(baseUrl, { protocol: 'ollama' }),
  wire: {
    contentType: ndjson['content-type'],
    text: piece({ content: 'Hello, ' }),
    end: Buffer.concat([piece({ content: 'world' }), end()]),
    halfCall: piece({ content: '', tool_calls: [{ function: { name: 'get_time', arguments: { timezone: 'UTC' } } }] }).subarray(0, -25),
    overloaded: line({ error: 'an error was encountered while running the model: unexpected EOF' }),
    noMoney: line({ error: 'insufficient balance' }),
    errorBody: (words) => JSON.stringify({ error: words }),
    whole: JSON.stringify(whole({ content: 'Hello, world' })),
  },
})
