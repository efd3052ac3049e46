import type { Schemas } from '../api/index.js'

const common = {
  command: 'translate',
  title: 'Translate a text',
  excerpt: 'Into German',
  own: true,
  owner: null,
  shadowed: false,
  shared: 'me',
  created_at: '2026-12-01T08:00:00Z',
  updated_at: '2026-12-01T08:00:00Z',
  used_at: null,
  version: 1,
} as const

/** A prompt as lists have it. Its id follows from its command. */
export const listed = (prompt: Partial<Schemas['ListedPrompt']> = {}): Schemas['ListedPrompt'] => ({
  ...common,
  id: `prompt_${prompt.command ?? common.command}`,
  ...prompt,
})

/** A prompt with its text. */
export const whole = (prompt: Partial<Schemas['Prompt']> = {}): Schemas['Prompt'] => ({
  ...listed(prompt),
  text: 'Into {{language=German}}:\n{{text}}',
  ...prompt,
})
