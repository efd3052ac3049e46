import type { Embedding, Inference, InferenceRequest } from '../../services/inference.js'

/** A model that a test controls. */
export interface FakeInference extends Inference {
  /** Every request so far, oldest first. */
  readonly requests: readonly InferenceRequest[]
  /** Sets the answer of the next request without one. Default: `Hello`. */
  answer(text: string): void
}

const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0, estimated: true }

/** Answers with the test's texts, as one model `fake` in the group `primary`. */
export function createFakeInference(): FakeInference {
  const requests: InferenceRequest[] = []
  const answers: string[] = []
  return {
    requests,
    answer: (text) => void answers.push(text),
    limits: { max_tool_turns: 20, default_max_tokens: 4_096, history_truncation_pct: 80 },
    groups: () => [{ name: 'primary', provider: 'fake', model: 'fake', context_window: 128_000 }],
    async *infer(request, { signal }) {
      signal.throwIfAborted()
      requests.push(request)
      const text = answers.shift() ?? 'Hello'
      yield { type: 'response.started' }
      yield { type: 'text.delta', part: 0, text }
      yield { type: 'response.finished', content: [{ type: 'text', text }], stop_reason: 'stop', usage }
    },
    async embed({ inputs }, { signal }) {
      signal.throwIfAborted()
      return fakeVectors(inputs)
    },
    countTokens: async ({ messages, tools }) => ({
      tokens: Math.ceil(JSON.stringify([messages, tools]).length / 4),
      exact: false,
      window: 128_000,
      reserve: 4_096,
    }),
  }
}

/**
 * Vectors of two numbers: equal texts have equal ones, and a longer text is further along the
 * first.
 */
const fakeVectors = (inputs: readonly string[]): Embedding => ({
  vectors: inputs.map((text) => [text.length, text.charCodeAt(0)]),
  ...{ model: 'fake', provider: 'fake', space: 'fake/2', usage: { input_tokens: 1, estimated: true } },
})
