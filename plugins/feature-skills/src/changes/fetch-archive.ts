import type { HttpClient } from '@agent-service/sdk/services/http-client'
import { skillFetchFailedError } from '../common/errors.js'
import { limits } from '../common/limits.js'

/** Fetches an archive from an https address of the public network. */
export type FetchArchive = (url: string, signal: AbortSignal) => Promise<Uint8Array>

const totalMs = 60_000

/** By the guarded client: no address that is not public, https in every hop, a bounded body. */
export const createFetchArchive =
  (client: Pick<HttpClient, 'request'>): FetchArchive =>
  async (url, signal) => {
    const { status, body } = await client.request({ url, limits: { totalMs, maxBodyBytes: limits.maxArchiveBytes } }, { signal })
    if (status !== 200) throw skillFetchFailedError.create({ status })
    return body
  }
