import type { IncomingMessage } from 'node:http'
import { isAppOrigin } from './app-origin.js'

const exposed = 'x-request-id, retry-after, idempotency-replayed, etag, location, x-ignored-parameters, x-should-retry'

const usual = ['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match', 'last-event-id', 'x-request-id']

const maxAsked = 100
const headerName = /^[a-z0-9!#$&'*+.^_`|~-]{1,100}$/

/**
 * What a page of a listed origin gets with every response. Apps and extensions have no cookie of the service; they sign
 * their requests, so only origins of the web are allowed credentials of the browser.
 */
export const corsHeaders = (origin: string): Readonly<Record<string, string>> => ({
  'access-control-allow-origin': origin,
  ...(!isAppOrigin(origin) && { 'access-control-allow-credentials': 'true' }),
  'access-control-expose-headers': exposed,
})

/**
 * The answer to a preflight of a listed origin. `anyHeaders`: the headers that it asks for are allowed beside the usual
 * ones, up to 100 names; clients of foreign protocols send headers of their own.
 */
export function preflightHeaders(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { anyHeaders }: { readonly anyHeaders: boolean },
): Readonly<Record<string, string>> {
  const asked = anyHeaders ? askedNames(headers['access-control-request-headers']) : []
  return {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': [...new Set([...usual, ...asked])].join(', '),
    'access-control-max-age': '600',
    ...(headers['access-control-request-private-network'] === 'true' && { 'access-control-allow-private-network': 'true' }),
  }
}

const askedNames = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(',', maxAsked)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => headerName.test(name))
