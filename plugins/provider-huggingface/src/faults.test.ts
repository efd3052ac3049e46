import { describeProviderFaults, requestTo } from '@agent-service/sdk/testing'
import { createTestAdapter } from './test-support/adapter.js'
import { delta, done, event, whole } from './test-support/wire.js'

describeProviderFaults({
  name: 'huggingface',
  create: createTestAdapter,
  request: (baseUrl) => requestTo(baseUrl, { protocol: 'huggingface' }),
  wire: {
    contentType: 'text/event-stream',
    text: delta({ content: 'Hello, ' }),
    end: Buffer.concat([delta({ content: 'world' }), delta({}, 'stop'), done]),
    halfCall: delta({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'get_time', arguments: '{"timezone":' } }] }),
    overloaded: event({ error: 'Request failed during generation', error_type: 'generation' }),
    noMoney: event({ error: 'You have exceeded your monthly included credits for Inference Providers.' }),
    errorBody: (words) => JSON.stringify({ error: words }),
    whole: Buffer.from(whole({ role: 'assistant', content: 'Hello, world' })).toString(),
  },
})
