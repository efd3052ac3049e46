import type { JsonObject } from '@agent-service/sdk'
import { bytesOf } from '@agent-service/sdk/testing'

export const ndjson = { 'content-type': 'application/x-ndjson' }
export const json = { 'content-type': 'application/json' }

const common = { model: 'model-1', created_at: '2026-01-01T00:00:00Z' }
export const counters = { total_duration: 5_000, prompt_eval_count: 11, eval_count: 7 }

/** One line of a stream. */
export const line = (data: JsonObject): Uint8Array => bytesOf(`${JSON.stringify(data)}\n`)
/** A line with a piece of the message. */
export const piece = (message: JsonObject): Uint8Array => line({ ...common, message: { role: 'assistant', ...message }, done: false })
/** The last line. */
export const end = (reason = 'stop', more: JsonObject = counters): Uint8Array =>
  line({ ...common, message: { role: 'assistant', content: '' }, done: true, done_reason: reason, ...more })
/** An answer in one piece. */
export const whole = (message: JsonObject, reason = 'stop'): JsonObject => ({
  ...common,
  message: { role: 'assistant', ...message },
  done: true,
  done_reason: reason,
  ...counters,
})
