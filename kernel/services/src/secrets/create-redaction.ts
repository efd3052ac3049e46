import type { Redactor } from '@agent-service/kernel-core/log'
import type { Redaction } from '@agent-service/sdk/services/secrets'

/** The redactor cuts longer texts, in UTF-16 code units. */
const maxPiece = 16_000

/** The service by which plugins mask secrets in texts of any length: piece by piece, between words. */
export function createRedaction({ redactor }: { readonly redactor: Pick<Redactor, 'text'> }): Redaction {
  return Object.freeze<Redaction>({
    redact(text) {
      let masked = ''
      for (let start = 0; start < text.length; ) {
        const end = endOfPiece(text, start)
        masked += redactor.text(text.slice(start, end))
        start = end
      }
      return masked
    },
  })
}

/** Behind the last line, else the last word, that fits; of a text without any, at the limit. */
function endOfPiece(text: string, start: number): number {
  const limit = start + maxPiece
  if (limit >= text.length) return text.length
  const piece = text.slice(start, limit)
  const end = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf(' '))
  return end > 0 ? start + end + 1 : limit
}
