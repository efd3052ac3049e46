import { ServiceError } from '@agent-service/sdk'
import {
  type HttpClient,
  type HttpClientResponse,
  httpConnectionError,
  httpRedirectRefusedError,
  httpResponseInvalidError,
  httpResponseTooLargeError,
  httpTimeoutError,
} from '@agent-service/sdk/services/http-client'
import { skillFetchFailedError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import type { ArchiveCache, CachedArchive, Validators } from './archive-cache.js'

/**
 * Fetches an archive from an https address of the public network. One that was fetched before comes
 * from the cache if the server says that it has not changed; without the server's word it never
 * does. @throws `skill_fetch_failed` with the reason; `http_address_refused`,
 * `http_request_invalid` and `http_client_busy` as the client does.
 */
export type FetchArchive = (url: string, signal: AbortSignal) => Promise<Uint8Array>

const totalMs = 60_000
/** What the other side, or the way to it, is to blame for. */
const failures = [httpConnectionError, httpTimeoutError, httpRedirectRefusedError, httpResponseInvalidError, httpResponseTooLargeError]

/** By the guarded client: no address that is not public, https in every hop, a bounded body. */
export const createFetchArchive =
  ({ client, cache }: { readonly client: Pick<HttpClient, 'request'>; readonly cache: ArchiveCache }): FetchArchive =>
  async (url, signal) => {
    const cached = await cache.read(url)
    const answer = await ask(client, url, cached, signal)
    if (answer.status === 304 && cached) {
      await cache.used(url)
      return cached.bytes
    }
    if (answer.status !== 200)
      throw skillFetchFailedError.create({ reason: `The address answered with status ${answer.status}; expected 200 and an archive.` })
    const validators = validatorsOf(answer)
    if (validators) await cache.keep(url, { bytes: answer.body, ...validators })
    return answer.body
  }

async function ask(
  client: Pick<HttpClient, 'request'>,
  url: string,
  cached: CachedArchive | undefined,
  signal: AbortSignal,
): Promise<HttpClientResponse> {
  const headers = {
    ...(cached?.etag !== undefined && { 'if-none-match': cached.etag }),
    ...(cached?.lastModified !== undefined && { 'if-modified-since': cached.lastModified }),
  }
  try {
    return await client.request({ url, headers, limits: { totalMs, maxBodyBytes: limits.maxArchiveBytes } }, { signal })
  } catch (error) {
    if (isFailure(error)) throw skillFetchFailedError.create({ reason: error.message }, { cause: error })
    throw error
  }
}

/** What can be asked about later; `undefined` if the server gave nothing of that kind. */
function validatorsOf({ headers }: Pick<HttpClientResponse, 'headers'>): Validators | undefined {
  const usable = (value: string | undefined, max: number): string | undefined =>
    value !== undefined && value.length <= max && /^[\x20-\x7e]+$/.test(value) ? value : undefined
  const etag = usable(headers['etag'], 200)
  const lastModified = usable(headers['last-modified'], 64)
  return etag === undefined && lastModified === undefined ? undefined : { etag, lastModified }
}

const isFailure = (error: unknown): error is ServiceError =>
  ServiceError.isInstance(error) && failures.some((failure) => failure.isInstance(error))
