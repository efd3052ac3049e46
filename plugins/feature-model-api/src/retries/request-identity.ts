import { createHash } from 'node:crypto'
import type { JsonValue } from '@agent-service/sdk'
import { invalidRequestError, type RouteRequest } from '@agent-service/sdk/contracts/http-route'
import { principalOf } from '../caller.js'
import { digestOf } from './digest.js'

/** What makes a request the retry of another. */
export interface RequestIdentity {
  /** Equal for a request and its retries; of one caller and one path. */
  readonly id: string
  /** Of the body. */
  readonly digest: string
  /** Whether the request may be a retry: an earlier one with this id then counts as the same. */
  readonly isRetry: boolean
  /** Whether the caller chose the id, with `Idempotency-Key`. */
  readonly isChosen: boolean
}

/**
 * The identity of a request: its `Idempotency-Key`, else its body, for clients that count their
 * retries in `X-Stainless-Retry-Count`, as the official ones do. Undefined without either header.
 * @throws `invalid_request` for a key that is not 1 to 255 visible ASCII characters.
 */
export async function identityOf(
  request: Pick<RouteRequest, 'principal' | 'headers' | 'path'>,
  body: unknown,
): Promise<RequestIdentity | undefined> {
  const { headers, path } = request
  const key = headers['idempotency-key']
  const count = headers['x-stainless-retry-count']
  if (key === undefined && count === undefined) return undefined
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    const problems = [{ path: '/idempotency-key', message: 'must be 1 to 255 visible ASCII characters' }]
    throw invalidRequestError.create({ where: 'headers' }, { problems })
  }
  const { userId, tokenId = '', sessionId = '', actor } = principalOf(request)
  const digest = await digestOf(body as JsonValue)
  const parts =
    key === undefined
      ? ['body', userId, tokenId, sessionId, path, digest]
      : ['key', userId, ...(actor ? [actor.kind, actor.id] : []), path, key]
  const id = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return { id, digest, isRetry: key !== undefined || Number(count) >= 1, isChosen: key !== undefined }
}
