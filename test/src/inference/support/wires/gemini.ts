import type { JsonObject } from '@agent-service/sdk'
import { calledTool, type FamilyWire, sseOf } from './family-wire.js'

const chunk = (part: JsonObject, candidate: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { parts: [part], role: 'model' }, index: 0, ...candidate }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 7 },
  modelVersion: 'model-1',
  responseId: 'answer-1',
})
const last = chunk({ text: '' }, { finishReason: 'STOP' })
const call = sseOf(chunk({ functionCall: { name: calledTool.name, args: calledTool.arguments } }))
const wireError = (code: number, status: string, words: string, details: readonly JsonObject[] = []): Buffer =>
  sseOf({ error: { code, message: words, status, details: [...details] } })

/** Gemini. Its calls come in one piece: half of one is half a document. */
export const geminiWire: FamilyWire = {
  protocol: 'google-generate-content',
  adapter: 'adapter_gamma',
  contentType: 'text/event-stream',
  text: sseOf(chunk({ text: 'Hello, ' })),
  end: sseOf(chunk({ text: 'world' }), last),
  halfCall: call.subarray(0, call.length / 2),
  call: Buffer.concat([call, sseOf(last)]),
  overloaded: wireError(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
  noMoney: wireError(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [
    {
      '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
      violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }],
    },
  ]),
  errorBody: (words) => JSON.stringify({ error: { message: words } }),
  whole: JSON.stringify(chunk({ text: 'Hello, world' }, { finishReason: 'STOP' })),
}
