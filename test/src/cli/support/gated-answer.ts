import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

/**
 * A model that writes these pieces, each as a delta of its own, waiting before those that are
 * promises.
 */
export async function* writes(...pieces: readonly (string | Promise<unknown>)[]): AsyncGenerator<ModelEvent> {
  let text = ''
  yield { type: 'response.started' }
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      yield { type: 'text.delta', part: 0, text: piece }
      text += piece
    } else await piece
  }
  yield { type: 'response.finished', content: [{ type: 'text', text }], stop_reason: 'stop', usage }
}

/** A model that writes a text, and then nothing until it is stopped. */
export async function* hangs(text: string, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  yield { type: 'text.delta', part: 0, text }
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

/** A model that fails in a way that no retry mends. */
export async function* fails(_: ModelRequest): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  throw new Error('The model is gone.')
}
