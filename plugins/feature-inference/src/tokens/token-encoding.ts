/** The published encodings of OpenAI's models. */
export type TokenEncoding = 'o200k_base' | 'cl100k_base'

/**
 * The encoding of a model, by its id, with or without a vendor prefix (`openai/gpt-4o`,
 * `openai.gpt-oss-120b-1:0`), also in Azure's spelling `gpt-35-turbo` and fine-tuned
 * (`ft:gpt-4o-mini:…`). `undefined` for models whose vendors publish no small encoding.
 */
export function encodingOf(model: string): TokenEncoding | undefined {
  const name = model
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^ft:/, '')
    .replace(/^(?:[a-z]{2,4}\.)?openai[.:]/, '')
  return rules.find(([pattern]) => pattern.test(name))?.[1]
}

const rules: readonly (readonly [RegExp, TokenEncoding])[] = [
  [/^(?:chatgpt-4o|gpt-4o|gpt-4\.[15]|gpt-[5-9]|gpt-oss|o[1-9](?:-|$)|codex-mini|computer-use)/, 'o200k_base'],
  [/^(?:gpt-4(?:-|$)|gpt-3\.?5-turbo)/, 'cl100k_base'],
]
