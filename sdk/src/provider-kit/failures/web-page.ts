import type { FailureReport } from './failure-report.js'

/** What a web page instead of an answer looks like. */
export interface WebPage {
  readonly kind: 'a page where one signs in' | 'an error page' | 'a web page'
  /** Its title, else its first words. */
  readonly title: string
  /** The HTTP status that its title names. */
  readonly status: number | undefined
}

/** Whether a text is a page of HTML or another document of markup, and which. */
export function readWebPage(text: string): WebPage | undefined {
  if (!/^[\s\uFEFF]*<[!?a-z]/i.test(text)) return undefined
  const begun = text.slice(0, 20_000)
  const title = textOfMarkup(/<(title|h1)\b[^>]*>([\s\S]*?)<\/\1>/i.exec(begun)?.[2] ?? '') || textOfMarkup(begun)
  const status = /\b([45]\d\d)\b/.exec(title)?.[1]
  const signsIn = /type=["']?password|\b(sign|log)[ -]?in\b|\blogin\b|\banmelde/i.test(begun)
  const fails = status !== undefined || /\berror\b|gateway|unavailable|forbidden|not found|maintenance/i.test(title)
  return {
    kind: fails ? 'an error page' : signsIn ? 'a page where one signs in' : 'a web page',
    title: title.slice(0, 200),
    status: status === undefined ? undefined : Number(status),
  }
}

/** The sentence about a page that came instead of an answer. */
export const pageReason = ({ kind, title }: WebPage): string =>
  `The endpoint sent ${kind} instead of an answer${title === '' ? '' : `: “${title}”`}. Check base_url, and what stands between it and this service.`

/** The failure for a page whose title says nothing more. Signing in is not what another attempt would do. */
export const pageReport = (page: WebPage): FailureReport => ({
  failure: 'invalid_response',
  retryable: page.kind !== 'a page where one signs in',
  reason: pageReason(page),
})

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The text of markup, without scripts and styles, its blanks made one. */
export const textOfMarkup = (markup: string): string =>
  markup
    .slice(0, 20_000)
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim()
