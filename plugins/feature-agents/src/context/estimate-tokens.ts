import { type ContentPart, type FilePart, isTextFile } from '@agent-service/sdk/contracts/provider-adapter'

/** What a picture or a file counts where nothing is known of it, in characters. */
const mediaLength = 4_000

/** A quick estimate of a text: four characters a token, and half a token more for each byte that a character has beside its first. */
export const estimateText = (text: string): number => text.length / 4 + (Buffer.byteLength(text) - text.length) / 2

/** A file by its bytes: a text in the worst writing has a token for every second, a document in pages far fewer. `data` is base64. */
const estimateFile = (file: FilePart): number => Math.max(mediaLength / 4, ((file.data?.length ?? 0) * 0.75) / (isTextFile(file) ? 2 : 10))

/**
 * A quick estimate, in tokens, for deciding whether it is worth counting. Words of any language come out within a third of what tokenizers say or above;
 * text without words (digests, base64) may have twice as many.
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
