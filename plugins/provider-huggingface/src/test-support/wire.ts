import type { JsonObject } from '@agent-service/sdk'
import { bytesOf } from '@agent-service/sdk/testing'

export const json = { 'content-type': 'application/json' }
export const usage: JsonObject = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 3 },
}

/** One event of a stream. */
export const event = (data: JsonObject): Uint8Array => bytesOf(`data: ${JSON.stringify(data)}\n\n`)
/** A chunk with a piece of the message. */
export const delta = (piece: JsonObject, finish: string | null = null): Uint8Array =>
  event({ id: 'answer-1', model: 'model-1', choices: [{ index: 0, delta: piece, finish_reason: finish }] })
export const done = bytesOf('data: [DONE]\n\n')

/** A stream: its pieces, then its end. */
export const streamOf = (pieces: readonly JsonObject[], finish = 'stop'): readonly Uint8Array[] => [
  ...pieces.map((piece) => delta(piece)),
  delta({}, finish),
  event({ id: 'answer-1', choices: [], usage }),
  done,
]
/** An answer in one piece. */
export const whole = (message: JsonObject, finish = 'stop'): Uint8Array =>
  bytesOf(JSON.stringify({ id: 'answer-1', model: 'model-1', choices: [{ index: 0, message, finish_reason: finish }], usage }))
