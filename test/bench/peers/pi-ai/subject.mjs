import { stream } from '@earendil-works/pi-ai/compat'

/** One streamed call; resolves with the text of the answer. */
export function createSubject(url, protocol) {
  const model = {
    id: 'model-1',
    name: 'model-1',
    api: protocol === 'completions' ? 'openai-completions' : 'anthropic-messages',
    provider: 'bench',
    baseUrl: protocol === 'completions' ? `${url}/v1` : url,
    reasoning: false,
    input: ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 100_000,
    maxTokens: 1_000,
  }
  const context = { messages: [{ role: 'user', content: 'Say something.', timestamp: 0 }] }
  return async () => {
    let text = ''
    for await (const event of stream(model, context, { apiKey: 'key', maxRetries: 0 })) {
      if (event.type === 'text_delta') text += event.delta
      if (event.type === 'error') throw new Error(event.error.errorMessage)
    }
    return text
  }
}
