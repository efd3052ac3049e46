import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { FramePage } from './frame-page.js'

interface KeptPage {
  readonly plain: Uint8Array
  readonly compressed: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Answers with a page that is the same for everybody: made with the first request, compressed once,
 * and kept by browsers, which ask for it by its entity tag.
 */
export function createKeptPage(make: () => Promise<FramePage>): (asked: Readonly<Record<string, string>>) => Promise<RouteResponse> {
  let made: Promise<KeptPage> | undefined
  const page = (): Promise<KeptPage> => {
    made ??= make()
      .then(keep)
      .catch((error: unknown) => {
        made = undefined
        throw error
      })
    return made
  }
  return async (asked) => {
    const { plain, compressed, headers } = await page()
    if (asked['if-none-match'] === headers['etag']) return { status: 304, kind: 'empty', headers }
    const isCompressed = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(asked['accept-encoding'] ?? '')
    return {
      status: 200,
      kind: 'bytes',
      contentType: 'text/html; charset=utf-8',
      headers: isCompressed ? { ...headers, 'content-encoding': 'gzip' } : headers,
      bytes: isCompressed ? compressed : plain,
    }
  }
}

async function keep({ html, headers }: FramePage): Promise<KeptPage> {
  const plain = new TextEncoder().encode(html)
  // What confines the page belongs to it: a kept one is not used under another policy.
  const hash = createHash('sha256').update(plain).update(JSON.stringify(headers)).digest('base64url').slice(0, 22)
  return {
    plain,
    compressed: await promisify(gzip)(plain),
    headers: { ...headers, etag: `"${hash}"`, 'cache-control': 'private, no-cache', vary: 'Accept-Encoding' },
  }
}
