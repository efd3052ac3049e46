import { readAtMost } from '@agent-service/sdk/async'
import type { HttpClient } from '@agent-service/sdk/services/http-client'
import { isHtml, isPlainText } from './media-types.js'

/** The most bytes of a page or a text that are read; the rest is left out. */
export const maxPageBytes = 4 * 1024 * 1024

/** The most bytes of a document of another type, such as PDF, which is of no use without its end. */
export const maxDocumentBytes = 12 * 1024 * 1024

const limits = { totalMs: 45_000, headersMs: 20_000, idleMs: 15_000, maxBodyBytes: 16 * 1024 * 1024 }
const accept = 'text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,application/json;q=0.9,application/pdf;q=0.8,*/*;q=0.5'

/** A page as it came. */
export interface FetchedPage {
  /** Its address after redirects. */
  readonly url: string
  readonly status: number
  /** As the server says, in lower case without parameters; empty if it does not say. */
  readonly mediaType: string
  /** The parameter `charset` of the type. Absent: the server does not say. */
  readonly charset?: string
  readonly bytes: Uint8Array
  /** Whether there is more. */
  readonly cut: boolean
}

/**
 * Fetches a page with `GET`, through the guarded client: every address and every hop is checked, the body
 * is bounded before and after decompression. @throws the errors of the client, or the reason of the signal.
 */
export async function fetchPage(http: Pick<HttpClient, 'stream'>, url: string, signal: AbortSignal): Promise<FetchedPage> {
  const answer = await http.stream({ url, allowHttp: true, headers: { accept }, limits }, { signal })
  try {
    const type = typeOf(answer.headers['content-type'])
    const maxBytes = isHtml(type.mediaType) || isPlainText(type.mediaType) ? maxPageBytes : maxDocumentBytes
    const { bytes, cut } = await readAtMost(answer.body, { maxBytes, signal })
    return { url: answer.url, status: answer.status, ...type, bytes, cut }
  } finally {
    await answer.close()
  }
}

function typeOf(header: string = ''): { readonly mediaType: string; readonly charset?: string } {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim())
  const charset = parameters
    .map((parameter) => /^charset=["']?([\w.:-]{1,40})["']?$/i.exec(parameter)?.[1])
    .find((value) => value !== undefined)
  const mediaType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type.toLowerCase() : ''
  return { mediaType, ...(charset !== undefined && { charset }) }
}
