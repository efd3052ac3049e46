import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { TestServer } from './start-test-server.js'

/** A response with its body as it came over the wire; `fetch` would decode it. */
export interface EncodedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Sends a request with these headers and no others, on a connection of its own. */
export async function encodedRequest(
  { port }: Pick<TestServer, 'port'>,
  target: string,
  { method = 'GET', headers = {} }: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<EncodedAnswer> {
  const asked = request({ host: '127.0.0.1', port, path: target, method, headers, agent: false })
  asked.end()
  const [response] = await once(asked, 'response')
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}
