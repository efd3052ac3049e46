import { createModelClient } from '@agent-service/sdk/provider-kit'
import { describeProviderFaults } from '@agent-service/sdk/testing'
import { createBedrockAdapter } from './adapter.js'
import { converseRequest, createTestAccess } from './test-support/adapter.js'
import { eventFrame, exceptionFrame } from './test-support/encode-frame.js'

const client = createModelClient()
after(() => client.close())

const delta = (value: unknown): Buffer => eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: value })
const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 }

describeProviderFaults({
  name: 'bedrock, Converse',
  create: () => createBedrockAdapter({ client, aws: createTestAccess(), now: Date.now }),
  request: (baseUrl) => converseRequest(baseUrl),
  wire: {
    contentType: 'application/vnd.amazon.eventstream',
    text: Buffer.concat([eventFrame('messageStart', { role: 'assistant' }), delta({ text: 'Hello, ' })]),
    end: Buffer.concat([
      delta({ text: 'world' }),
      eventFrame('contentBlockStop', { contentBlockIndex: 0 }),
      eventFrame('messageStop', { stopReason: 'end_turn' }),
      eventFrame('metadata', { usage, metrics: { latencyMs: 1 } }),
    ]),
    halfCall: Buffer.concat([
      eventFrame('contentBlockStart', { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'tooluse_1', name: 'get_time' } } }),
      delta({ toolUse: { input: '{"timezone": "Euro' } }),
    ]),
    overloaded: exceptionFrame('serviceUnavailableException', { message: 'Try again later' }),
    noMoney: exceptionFrame('serviceQuotaExceededException', { message: 'Your account has no quota left' }),
    errorBody: (words) => JSON.stringify({ message: words }),
    whole: JSON.stringify({
      output: { message: { role: 'assistant', content: [{ text: 'Hello, world' }] } },
      stopReason: 'end_turn',
      usage,
    }),
  },
})
