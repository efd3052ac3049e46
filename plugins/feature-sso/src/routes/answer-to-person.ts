import { ServiceError } from '@agent-service/sdk'
import type { RouteAnswer, RouteCookie, RouteRequest, RouteResponse } from '@agent-service/sdk/contracts/http-route'

/** Statuses that a page can have, for the description of a route. */
export const refusalAnswers: Readonly<Record<number, RouteAnswer>> = Object.fromEntries(
  [400, 403, 409, 503].map((status) => [status, { description: 'Why not, for a person to read.', contentType: 'text/html' }]),
)

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * An error as an answer to a person: a small page where the request takes one, which browsers do when somebody follows a link. Programs get the problem:
 * the error is thrown on, as is whatever the service did not mean to say.
 */
export function answerToPerson(
  request: Pick<RouteRequest, 'headers'>,
  error: unknown,
  options: { readonly home: string; readonly cookies?: readonly RouteCookie[] },
): RouteResponse {
  const isForPerson = (request.headers['accept'] ?? '').includes('text/html')
  if (!isForPerson || !ServiceError.isInstance(error) || !(error.status in refusalAnswers)) throw error
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
<p><a href="${escaped(home)}">Back to the start</a></p>
</html>
`

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
