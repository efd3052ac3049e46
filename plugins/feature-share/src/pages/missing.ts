import type { RouteResponse } from '@agent-service/sdk/contracts/http-route'
import { escaped } from './escape.js'
import { pageEnd, pageHead, pageHeaders } from './page-frame.js'
import { languageOf, type PageLanguage, texts } from './texts.js'

/** The same bytes for every link that does not work: nothing of the request is in them but its language. */
const pages: Readonly<Record<PageLanguage, Uint8Array>> = { de: missingPage('de'), en: missingPage('en') }

const problem: Uint8Array = Buffer.from(
  JSON.stringify({
    ...{ type: 'about:blank', title: 'Not found', status: 404, code: 'not_found' },
    detail: 'There is no such link, or it no longer works.',
  }),
)

/**
 * The answer to every link that leads nowhere, whatever the reason: a page for people, and a problem
 * for programs that request content. The problem has no `request_id`, unlike others, so that the
 * bodies are the same.
 */
export function missingAnswer(what: 'content' | 'page', headers: Readonly<Record<string, string>>): RouteResponse {
  const isForPerson = what === 'page' || (headers['accept'] ?? '').includes('text/html')
  return {
    status: 404,
    kind: 'bytes',
    headers: { ...pageHeaders, vary: 'Accept, Accept-Language' },
    contentType: isForPerson ? 'text/html; charset=utf-8' : 'application/problem+json',
    bytes: isForPerson ? pages[languageOf(headers['accept-language'])] : problem,
  }
}

function missingPage(language: PageLanguage): Uint8Array {
  const { missing_title: title, missing_text: text } = texts[language]
  return Buffer.from(
    `${pageHead(title, language)}<main class="missing">\n<h1>${escaped(title)}</h1>\n<p>${escaped(text)}</p>\n</main>\n${pageEnd}`,
  )
}
