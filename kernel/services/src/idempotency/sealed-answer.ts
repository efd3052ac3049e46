import { hkdfSync, randomBytes } from 'node:crypto'
import { decrypt, encrypt, keyLength, nonceLength } from '@agent-service/kernel-core/secrets'
import type { JsonObject } from '@agent-service/sdk'
import type { StoredAnswer } from './idempotency-store.js'

/** The identity of a request with a key. The store keeps only digests of it. */
export interface KeyedRequest {
  readonly scope: string
  readonly key: string
  readonly digest: string
}

const saltLength = 32

/**
 * Seals a response with a key derived from its request. Without the idempotency key that the client
 * chose it cannot be read, however long a copy of the store is kept. So the contents of a response
 * (a text, a new token) are protected at once, not only when the record expires.
 */
export function sealAnswer(answer: StoredAnswer, request: KeyedRequest): JsonObject {
  const salt = randomBytes(saltLength)
  const nonce = randomBytes(nonceLength)
  const sealed = encrypt(keyOf(request, salt), nonce, Buffer.from(JSON.stringify(answer)), Buffer.alloc(0))
  return { sealed: base64(sealed), salt: base64(salt), nonce: base64(nonce) }
}

/**
 * The response; `undefined` if it was sealed for another request. Unsealed responses of older
 * versions are returned as they are.
 */
export function openAnswer(document: JsonObject | null, request: KeyedRequest): StoredAnswer | undefined {
  if (!document) return undefined
  const { sealed, salt, nonce } = document
  if (typeof sealed !== 'string' || typeof salt !== 'string' || typeof nonce !== 'string') return document as unknown as StoredAnswer
  const key = keyOf(request, bytes(salt))
  const opened = decrypt(key, bytes(nonce), bytes(sealed), Buffer.alloc(0))
  return opened && (JSON.parse(Buffer.from(opened).toString()) as StoredAnswer)
}

const keyOf = ({ scope, key, digest }: KeyedRequest, salt: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', JSON.stringify([scope, key, digest]), salt, 'idempotency answer', keyLength))

const base64 = (value: Uint8Array): string => Buffer.from(value).toString('base64')
const bytes = (text: string): Uint8Array => Buffer.from(text, 'base64')
