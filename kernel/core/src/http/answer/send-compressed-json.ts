import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Exchange } from '../request/exchange.js'
import { sendBytes } from './send-bytes.js'

export const jsonType = 'application/json'

/** Below it a compressed text saves no packet. */
const minBytes = 1024

/** `gzip` without `q=0`. */
const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/

/** Sends JSON compressed, if it is long and the client takes that. Compressed in the threads of the process. */
export async function sendCompressedJson(
  exchange: Exchange,
  { status, headers, body }: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<void> {
  const varying = { ...headers, vary: 'Accept-Encoding' }
  const accepted = exchange.request.headers['accept-encoding'] ?? ''
  if (Buffer.byteLength(body) < minBytes || !takesGzip.test(String(accepted)))
    return sendBytes(exchange, { status, headers: varying, contentType: jsonType, body })
  const compressed = await promisify(gzip)(body)
  sendBytes(exchange, { status, headers: { ...varying, 'content-encoding': 'gzip' }, contentType: jsonType, body: compressed })
}
