const maxLines = 20_000

/** “On Monday Ann wrote:” in a few languages; on one line or two. */
const attribution =
  /^(?:on|am|le|el|il|op|em|den|dne|w dniu|в|в письме)\b.{4,300}\b(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev|napsal|napisał|пишет|написал)\b.{0,80}[:：]\s*$/iu

/** What Outlook and others put above the whole mail that is answered. */
const separator =
  /^\s*(?:-{3,}\s*(?:original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|oorspronkelijk bericht|mensagem original)\s*-{3,}|_{20,})\s*$/iu

const fromLine = /^\s*\*?(?:from|von|de|da|van)\*?\s*:\*?\s.*\S/iu
const headLine =
  /^\s*\*?(?:sent|date|to|cc|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado|para|asunto|inviato|a|oggetto|verzonden|aan|onderwerp)\*?\s*:/iu

/**
 * What a person has added in an answer, without the mail that they answer. Quotations between their own
 * words stay, since those refer to them. If nothing were left, the text stays as it is.
 */
export function withoutQuotedHistory(text: string): string {
  const lines = text.split(/\r?\n/)
  if (lines.length > maxLines) return text
  let end = lines.length
  const cut = lines.findIndex((line, index) => isSeparator(lines, line, index))
  if (cut >= 0) end = cut
  end = withoutTrailingQuote(lines, end)
  const start = afterLeadingQuote(lines, end)
  const own = lines.slice(start, end).join('\n').trim()
  return own === '' ? text.trim() : own
}

/** A separator counts only with the head of a mail below it, so that a line of underscores of a person stays. */
function isSeparator(lines: readonly string[], line: string, index: number): boolean {
  const isHead = (at: number): boolean =>
    fromLine.test(lines[at] ?? '') && lines.slice(at + 1, at + 5).filter((each) => headLine.test(each)).length >= 2
  if (line.length > 400) return false
  if (isHead(index)) return true
  if (!separator.test(line)) return false
  return [index + 1, index + 2].some((at) => fromLine.test(lines[at] ?? '')) || /^\s*-/.test(line)
}

const isQuote = (line: string | undefined): boolean => /^\s{0,3}>/.test(line ?? '')
const isBlank = (line: string | undefined): boolean => /^\s*$/.test(line ?? '')

/** The end of a text without the quotation at its end and the line that introduces it. */
function withoutTrailingQuote(lines: readonly string[], from: number): number {
  let end = from
  while (end > 0 && (isQuote(lines[end - 1]) || isBlank(lines[end - 1]))) end -= 1
  const hasQuote = lines.slice(end, from).some(isQuote)
  if (!hasQuote) return from
  const at = attributionBefore(lines, end)
  return at ?? end
}

/** Where an attribution begins that ends right before a line; it may be broken into two or three lines. */
function attributionBefore(lines: readonly string[], end: number): number | undefined {
  for (let count = 1; count <= 3 && count <= end; count += 1) {
    const joined = lines
      .slice(end - count, end)
      .join(' ')
      .trim()
    if (joined.length <= 500 && attribution.test(joined)) return end - count
  }
  return undefined
}

/** The first line behind a quotation at the beginning, for those who answer below it. */
function afterLeadingQuote(lines: readonly string[], end: number): number {
  let start = 0
  while (start < end && isBlank(lines[start])) start += 1
  for (let count = 1; count <= 3; count += 1)
    if (isQuote(lines[start + count]) && attributionBefore(lines.slice(0, start + count), start + count) === start) start += count
  if (!isQuote(lines[start])) return 0
  while (start < end && (isQuote(lines[start]) || isBlank(lines[start]))) start += 1
  // What is quoted further below belongs to an answer between the lines: then all of it is needed.
  return lines.slice(start, end).some(isQuote) ? 0 : start
}
