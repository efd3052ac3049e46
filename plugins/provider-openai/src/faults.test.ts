import type { JsonObject } from '@agent-service/sdk'
import { bytesOf, describeProviderFaults, requestTo } from '@agent-service/sdk/testing'
import { createTestAdapter } from './test-support/adapter.js'

const chunk = (delta: JsonObject, finish: string | null = null): Uint8Array =>
  bytesOf(`data: ${JSON.stringify({ id: 'answer-1', model: 'model-1', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`)

describeProviderFaults({
  name: 'completions',
  create: createTestAdapter,
  request: (baseUrl) => requestTo(baseUrl),
  wire: {
    contentType: 'text/event-stream',
    text: chunk({ content: 'Hello, ' }),
    end: Buffer.concat([chunk({ content: 'world' }), chunk({}, 'stop'), bytesOf('data: [DONE]\n\n')]),
    halfCall: chunk({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'get_time', arguments: '{"timezone":' } }] }),
    overloaded: bytesOf('data: {"error":{"message":"Too many of you","code":"engine_overloaded_error"}}\n\n'),
    noMoney: bytesOf(
      'data: {"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}\n\n',
    ),
    errorBody: (words) => JSON.stringify({ error: { message: words, type: 'made_up', param: null, code: null } }),
    whole: JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'Hello, world' }, finish_reason: 'stop' }] }),
  },
})
