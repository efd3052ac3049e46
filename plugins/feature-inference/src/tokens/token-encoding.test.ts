import { expect } from 'chai'
import { encodingOf } from './token-encoding.js'

const models = {
  o200k_base: [
    'gpt-4o',
    'gpt-4o-mini-2024-07-18',
    'chatgpt-4o-latest',
    'gpt-4.1-nano',
    'gpt-4.5-preview',
    'gpt-5',
    'gpt-5.3-codex',
    'GPT-5-nano',
    'gpt-oss:20b',
    'openai/gpt-oss-120b',
    'openai.gpt-oss-120b-1:0',
    'us.openai.gpt-oss-20b-1:0',
    'openai/gpt-5.4',
    'openrouter/openai/gpt-4o',
    'ft:gpt-4o-mini:house::abc123',
    'o1',
    'o3-mini',
    'o4-mini-2025-04-16',
    'codex-mini-latest',
  ],
  cl100k_base: [
    'gpt-4',
    'gpt-4-0613',
    'gpt-4-turbo',
    'gpt-3.5-turbo',
    'gpt-35-turbo',
    'gpt-35-turbo-16k',
    'openai/gpt-4',
    'ft:gpt-3.5-turbo:x',
  ],
  unknown: [
    'claude-haiku-4-5-20251001',
    'us.anthropic.claude-sonnet-4-5',
    'anthropic/claude-opus-4',
    'gemini-2.5-flash',
    'llama3',
    'qwen3:4b',
    'command-a-03-2025',
    'mistral-small-latest',
    'deepseek-chat',
    'grok-4.3',
    'gpt-2',
    'gpt-j-6b',
    'openllama',
    'our-deployment',
    'o1lama',
    '',
  ],
} as const

describe('the encoding of a model', () => {
  for (const [encoding, names] of Object.entries(models))
    for (const name of names)
      it(`is ${encoding} for “${name}”`, () => {
        expect(encodingOf(name) ?? 'unknown').to.equal(encoding)
      })
})
