import type { JsonObject } from '@agent-service/sdk'
import { bytesOf, type FaultWire } from '@agent-service/sdk/testing'

/** One event of a stream, with the line ends of the vendor. */
export const event = (chunk: JsonObject): Uint8Array => bytesOf(`data: ${JSON.stringify(chunk)}\r\n\r\n`)

/** Events one after the other. */
export const streamOf = (...chunks: readonly JsonObject[]): Uint8Array => Buffer.concat(chunks.map(event))

/** The common members of every chunk. */
export const root = { modelVersion: 'gemini-3-pro', responseId: 'answer-1' }

/** A chunk with parts and further members of its candidate. */
export const chunk = (parts: readonly JsonObject[], candidate: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { parts: [...parts], role: 'model' }, index: 0, ...candidate }],
  ...root,
  ...more,
})

/** The last chunk of a stream. */
export const lastChunk = (reason = 'STOP', usageMetadata: JsonObject = { promptTokenCount: 10, candidatesTokenCount: 7 }): JsonObject =>
  chunk([{ text: '' }], { finishReason: reason }, { usageMetadata })

/** A call, with a signature if it has one. */
export const callPart = (name: string, args: JsonObject, thoughtSignature?: string): JsonObject => ({
  functionCall: { name, args },
  ...(thoughtSignature !== undefined && { thoughtSignature }),
})

/** An error in a body and in a stream. */
export const wireError = (code: number, status: string, words: string, details: readonly JsonObject[] = []): JsonObject => ({
  error: { code, message: words, status, details: [...details] },
})

/** A quota that is used up. */
export const quotaFailure = (quotaId: string): JsonObject => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId }],
})

const call = event(chunk([callPart('get_time', { timezone: 'Europe/Berlin' })]))

/** What the faults of an upstream are made of. */
export const faultWire: FaultWire = {
  contentType: 'text/event-stream',
  text: streamOf(chunk([{ text: 'Hello, ' }])),
  end: streamOf(chunk([{ text: 'world' }]), lastChunk()),
  halfCall: call.subarray(0, call.length / 2),
  overloaded: event(wireError(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.')),
  noMoney: event(
    wireError(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [
      quotaFailure('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
    ]),
  ),
  errorBody: (words) => JSON.stringify({ error: { message: words } }),
  whole: JSON.stringify(chunk([{ text: 'Hello, world' }], { finishReason: 'STOP' })),
}
