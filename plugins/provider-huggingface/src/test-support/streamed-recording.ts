import type { JsonObject } from '@agent-service/sdk'
import type { Recording } from '@agent-service/sdk/testing'
import { done, event } from './wire.js'

interface Answer extends JsonObject {
  readonly choices: readonly (JsonObject & { readonly message: Message })[]
  readonly usage: JsonObject
}
interface Message extends JsonObject {
  readonly content: string | null
  readonly tool_calls: readonly (JsonObject & { readonly function: { readonly name: string; readonly arguments: string } })[]
}

/**
 * A recorded answer as its providers stream it, in pieces of random length: no stream of this
 * vendor was recorded.
 */
export const streamedRecording = (recording: Recording, random: () => number): Recording => ({
  ...recording,
  name: `${recording.name}, streamed`,
  kind: 'sse',
  contentType: 'text/event-stream',
  bytes: streamOf(recording, random),
})

function streamOf({ documents }: Recording, random: () => number): Uint8Array {
  const { choices, usage, ...root } = documents[0] as Answer
  const [{ message, ...choice } = { message: { content: null, tool_calls: [] } }] = choices
  const { content, tool_calls: calls, ...others } = message
  const deltas: JsonObject[] = [others, ...piecesOf(content ?? '', random).map((piece) => ({ content: piece }))]
  for (const [index, call] of calls.entries()) {
    const { name, arguments: text } = call.function
    deltas.push({ tool_calls: [{ index, id: call['id'] ?? null, type: 'function', function: { name, arguments: '' } }] })
    deltas.push(...piecesOf(text, random).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })))
  }
  return Buffer.concat([
    ...deltas.map((delta) => event({ ...root, choices: [{ index: 0, delta, finish_reason: null }] })),
    event({ ...root, choices: [{ ...choice, delta: {} }] }),
    event({ ...root, choices: [], usage }),
    done,
  ])
}

function piecesOf(text: string, random: () => number): readonly string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const length = 1 + Math.floor(random() * 40)
    pieces.push(text.slice(start, start + length))
    start += length
  }
  return pieces
}
