import type { MemoryBackend } from '../../../contracts/memory-backend/memory-backend.js'
import { describeTwins } from './break-backend.test.js'
import { budget, pins, stable, tooLong } from './suite-titles.test.js'

function promptWithoutPins({ list }: MemoryBackend): Partial<MemoryBackend> {
  return {
    async promptText({ maxTokens, ...reader }, { signal }) {
      const { items } = await list(reader, { limit: 100, signal })
      let text = ''
      for (const item of items) if (text.length + item.text.length + 1 <= 4 * maxTokens) text += `${item.text}\n`
      return text.trim() || undefined
    },
  }
}

function endsAtTheFirstThatIsTooLong({ list }: MemoryBackend): Partial<MemoryBackend> {
  return {
    async promptText({ maxTokens, ...reader }, { signal }) {
      const { items } = await list(reader, { limit: 100, signal })
      let text = ''
      for (const item of items) {
        if (text.length + item.text.length + 1 > 4 * maxTokens) break
        text += `${item.text}\n`
      }
      return text.trim() || undefined
    },
  }
}

describeTwins('prompts', [
  ['a prompt that ends at the first memory that is too long', endsAtTheFirstThatIsTooLong, [tooLong]],
  [
    'a budget in characters of another measure',
    ({ promptText }) => ({ promptText: (reader, call) => promptText({ ...reader, maxTokens: 2 * reader.maxTokens }, call) }),
    [budget],
  ],
  [
    'a prompt that is cut',
    ({ promptText }) => ({
      promptText: async (reader, call) =>
        (await promptText({ ...reader, maxTokens: 10_000 }, call))?.slice(0, 4 * reader.maxTokens) || undefined,
    }),
    [budget],
  ],
  ['an empty text for nothing', ({ promptText }) => ({ promptText: async (...call) => (await promptText(...call)) ?? '' }), [budget]],
  ['pins without effect in prompts', promptWithoutPins, [pins]],
  [
    'a prompt with the time in it',
    ({ promptText }) => {
      let count = 0
      return {
        async promptText(...call) {
          count += 1
          return `${count}: ${await promptText(...call)}`
        },
      }
    },
    [stable],
  ],
])
