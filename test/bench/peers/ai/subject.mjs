import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { streamText } from 'ai'

/** One streamed call through `streamText`; resolves with the text of the answer. */
export function createSubject(url, protocol) {
  const model =
    protocol === 'completions'
      ? createOpenAICompatible({ name: 'bench', baseURL: `${url}/v1`, apiKey: 'key' }).chatModel('model-1')
      : createAnthropic({ baseURL: `${url}/v1`, apiKey: 'key' })('model-1')
  return async () => {
    let text = ''
    for await (const part of streamText({ model, prompt: 'Say something.', maxOutputTokens: 1_000, maxRetries: 0 }).fullStream) {
      if (part.type === 'text-delta') text += part.text
      if (part.type === 'error') throw part.error
    }
    return text
  }
}
