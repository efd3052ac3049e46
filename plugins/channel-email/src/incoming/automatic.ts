/** The headers of a mail, by lower-case name. */
export interface HeaderLookup {
  /** The first header of this name, unfolded. */
  first(name: string): string | undefined
  /** All headers of this name, the topmost first. */
  all(name: string): readonly string[]
}

const machines =
  /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|auto-?reply|listserv|majordomo|.*-(?:request|owner|bounces))@/

/**
 * Why a mail must not be answered: a program has written it, or it came over a list (RFC 3834).
 * Undefined for one that a person has written, as far as can be told.
 */
export function automaticReasonOf(headers: HeaderLookup, sender: string, ownAddresses: ReadonlySet<string>): string | undefined {
  const value = (name: string): string => headers.first(name)?.trim().toLowerCase() ?? ''
  const has = (name: string): boolean => headers.first(name) !== undefined
  if (ownAddresses.has(sender)) return 'the account itself has sent it'
  if (has('auto-submitted') && !/^no\b/.test(value('auto-submitted'))) return 'a program has sent it'
  if (value('return-path') === '<>' || /^multipart\/report\b/.test(value('content-type'))) return 'it is a report about another mail'
  if (machines.test(sender)) return 'no person reads its address'
  if (/^(?:bulk|junk|list|auto_reply)\b/.test(value('precedence'))) return 'it is bulk mail'
  if (has('list-id') || has('list-post') || has('list-unsubscribe')) return 'it came over a list'
  if (has('x-autoreply') || has('x-autorespond') || has('x-auto-response-suppress')) return 'a program has sent it'
  return undefined
}
