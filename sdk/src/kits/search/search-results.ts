import type { SearchResult } from '../../contracts/search-provider/search-provider.js'
import { plainLine } from './plain-text.js'

/** A page as an engine describes it; anything may be missing or wrong. */
export interface FoundPage {
  /** Its address. */
  readonly url: unknown
  /** Its title, with or without markup. */
  readonly title: unknown
  /** A text out of it, with or without markup. Default: none. */
  readonly snippet?: unknown
  /** When it was published, in any usual form. Default: unknown. */
  readonly publishedAt?: unknown
}

const maxAddressLength = 2_048

/**
 * Results that keep the contract: plain text, absolute `http` and `https` addresses without a user name,
 * no page twice, in the given order, at most `limit`. What has no such address is left out.
 */
export function searchResultsOf(found: readonly FoundPage[], { limit }: { readonly limit: number }): readonly SearchResult[] {
  const results = new Map<string, SearchResult>()
  for (const page of found) {
    if (results.size >= limit) break
    const url = addressOf(page.url)
    if (url === undefined) continue
    const same = `${url.origin}${url.pathname}${url.search}`
    if (results.has(same)) continue
    const publishedAt = timeOf(page.publishedAt)
    results.set(same, {
      url: url.href,
      title: lineOf(page.title, 300) || url.hostname,
      snippet: lineOf(page.snippet, 2_000),
      ...(publishedAt !== undefined && { publishedAt }),
    })
  }
  return [...results.values()]
}

const lineOf = (text: unknown, maxLength: number): string => (typeof text === 'string' ? plainLine(text, maxLength) : '')

function addressOf(value: unknown): URL | undefined {
  if (typeof value !== 'string' || value.length > maxAddressLength || !URL.canParse(value)) return undefined
  const url = new URL(value)
  const isPlain = (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === ''
  return isPlain && url.hostname !== '' && url.href.length <= maxAddressLength ? url : undefined
}

/** RFC 3339 as it is, a time without a zone as its date, other forms as the date in UTC. */
function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined
  const text = value.trim()
  const [, date, rest = ''] = /^(\d{4}-\d{2}-\d{2})(.*)$/.exec(text) ?? []
  if (date !== undefined) {
    if (Number.isNaN(Date.parse(date))) return undefined
    return /^[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/.test(rest) && !Number.isNaN(Date.parse(text)) ? text : date
  }
  const milliseconds = /[a-z]/i.test(text) && /\d{4}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString().slice(0, 10)
}
