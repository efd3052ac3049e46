import { type ContentPart, type FilePart, isTextFile } from '@agent-service/sdk/contracts/provider-adapter'

/** The assumed size of a picture or a file of unknown size, in characters. */
const mediaLength = 4_000

/**
 * A quick estimate of a text: four characters per token, and half a token more for each further
 * byte of a character.
 */
export const estimateText = (text: string): number => text.length / 4 + (Buffer.byteLength(text) - text.length) / 2

/**
 * Estimates a file by its bytes: the densest text has a token for every two bytes, a document with
 * pages far fewer. `data` is base64.
 */
const estimateFile = (file: FilePart): number =>
  Math.max(
    mediaLength / 4,
    ((file.data?.length ?? 0) * 0.75) / (isTextFile(file) ? 2 : 10),
    // A model gets the file or its text.
    estimateText(file.as_text ?? ''),
  )

/**
 * A quick estimate, in tokens, to decide whether counting is worthwhile. For words of any language
 * it is at most a third below the tokenizer's count, or above it; text without words (digests,
 * base64) may have twice as many.
 */
export function estimateTokens(content: readonly ContentPart[]): number {
  let tokens = 4
  for (const part of content) {
    if (part.type === 'text' || part.type === 'reasoning') tokens += estimateText(part.text)
    else if (part.type === 'tool_call') tokens += estimateText(part.name) + estimateText(JSON.stringify(part.arguments))
    else if (part.type === 'tool_result')
      for (const item of part.content) tokens += item.type === 'text' ? estimateText(item.text) : mediaLength / 4
    else if (part.type === 'file') tokens += estimateFile(part)
    else tokens += mediaLength / 4
  }
  return Math.ceil(tokens)
}
