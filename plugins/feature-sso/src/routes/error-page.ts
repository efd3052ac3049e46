import { ServiceError } from '@agent-service/sdk'
import type { RouteAnswer, RouteCookie, RouteRequest, RouteResponse } from '@agent-service/sdk/contracts/http-route'

/** The statuses of error pages, for the description of a route. */
export const errorPageAnswers: Readonly<Record<number, RouteAnswer>> = Object.fromEntries(
  [400, 403, 409, 503].map((status) => [status, { description: 'The error as a page for people.', contentType: 'text/html' }]),
)

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * An error as a small page, if the request accepts HTML, as browsers do when a person follows a
 * link. Otherwise the error is rethrown, so that programs get the problem; so are unexpected
 * errors.
 */
export function errorPage(
  request: Pick<RouteRequest, 'headers'>,
  error: unknown,
  options: { readonly home: string; readonly cookies?: readonly RouteCookie[] },
): RouteResponse {
  const isForPerson = (request.headers['accept'] ?? '').includes('text/html')
  if (!isForPerson || !ServiceError.isInstance(error) || !(error.status in errorPageAnswers)) throw error
  return {
    status: error.status,
    headers: {
      'content-security-policy': policy,
      ...(error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.ceil(error.retryAfterSeconds)) }),
    },
    ...(options.cookies ? { cookies: options.cookies } : {}),
    kind: 'bytes',
    contentType: 'text/html; charset=utf-8',
    bytes: Buffer.from(pageOf(error, options.home), 'utf8'),
  }
}

const pageOf = ({ title, message, code }: ServiceError, home: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1rem }</style>
<h1>${escaped(title)}</h1>
<p>${escaped(message)}</p>
<p><small>${escaped(code)}</small></p>
<p><a href="${escaped(home)}">Back to the start page</a></p>
</html>
`

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
