/** What the client says when an answer is too large or cannot be read. */
const unreadable: ReadonlySet<unknown> = new Set([
  ...['LineTooLarge', 'LiteralTooLarge', 'ResponseTooLarge', 'TooManyTokens', 'TooManyResponses', 'MAX_IMAP_NESTING_REACHED'],
  ...['InvalidResponse', 'ResponseProcessingFailed', 'ParserError', 'DownloadOverflow', 'DownloadIncomplete'],
])

/**
 * Whether reading a mail has failed because of the mail, rather than of the connection: `certain` if its
 * answer is too large or cannot be read, `possible` if the server refuses it or takes too long. `lost` has
 * the end of the connection, which an answer that is too large brings about.
 */
export function causeInMail(error: unknown, lost: AbortSignal): 'certain' | 'possible' | 'none' {
  const causes = [...causesOf(error), ...(lost.aborted ? causesOf(lost.reason) : [])]
  if (causes.some(isUnreadable)) return 'certain'
  return causes.some(isRefused) ? 'possible' : 'none'
}

/** Errors of the language come from the code that reads: it will fail again in the same way. */
function isUnreadable(error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown }
  const isKnown = unreadable.has(code) || (typeof code === 'string' && code.startsWith('ParserError'))
  return isKnown || error instanceof TypeError || error instanceof RangeError
}

function isRefused(error: unknown): boolean {
  const { name, responseStatus } = Object(error) as { readonly name?: unknown; readonly responseStatus?: unknown }
  return name === 'TimeoutError' || responseStatus === 'NO' || responseStatus === 'BAD'
}

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = []
  for (
    let each = error;
    typeof each === 'object' && each !== null && causes.length < 5;
    each = (each as { readonly cause?: unknown }).cause
  )
    causes.push(each)
  return causes
}
