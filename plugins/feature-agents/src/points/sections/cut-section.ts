import { cutText } from '../../common/well-formed.js'
import { estimateText } from '../../context/estimate-tokens.js'

/** What a section takes, in tokens, estimated. */
export const sectionTokens = (text: string): number => Math.ceil(estimateText(text))

/** The text within its tokens: what exceeds them is cut at the end, and a line says so. */
export function cutSection(text: string, maxTokens: number): string {
  const tokens = sectionTokens(text)
  if (tokens <= maxTokens) return text
  let length = Math.floor((text.length * maxTokens) / tokens)
  for (;;) {
    const kept = cutText(text, Math.max(0, length))
    const marked = `${kept}\n[cut: ${text.length - kept.length} of ${text.length} characters left out]`
    if (length <= 0 || sectionTokens(marked) <= maxTokens) return marked
    length -= Math.max(1, Math.ceil((sectionTokens(marked) - maxTokens) * 2))
  }
}
