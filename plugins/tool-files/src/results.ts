import type { ToolResult } from '@agent-service/sdk/contracts/tool'

/** A result in words. */
export const answer = (...texts: readonly string[]): ToolResult => ({ content: texts.map((text) => ({ type: 'text', text })) })

/** A result in words that names a file which the call made or changed. */
export const answerWith = (path: string, text: string): ToolResult => ({ ...answer(text), files: [{ path }] })

/** An error result that says what the model should do differently. */
export const refusal = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true })

/** A name as one line for a person. */
export const shown = (value: unknown): string => {
  const text = String(value ?? '').replaceAll(/\p{Cc}/gu, ' ')
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}

/** `1 line`, `2 lines`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count.toLocaleString('en')} ${count === 1 ? one : many}`
