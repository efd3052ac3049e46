import { createECDH, createPrivateKey, sign } from 'node:crypto'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { SealedFields } from '@agent-service/sdk/services/secrets'
import { createStoredSecret } from '../store/stored-secret.js'

/** RFC 8292 allows a day; clocks of others may be wrong by some hours. */
const validSeconds = 12 * 3_600

/**
 * By which push services know this deployment (VAPID, RFC 8292). A pair of keys is made when it is
 * first needed. Devices belong to the pair that they subscribed with: earlier pairs are kept for
 * them.
 */
export interface Vapid {
  /** The number of the pair for new devices. */
  readonly current: number
  /** The public key of a pair, as browsers take it. */
  publicKey(pair: number): Promise<string>
  /** The header `Authorization` of a request to an endpoint. */
  authorization(endpoint: string, pair: number): Promise<string>
}

export function createVapid(dependencies: {
  readonly database: Database
  readonly sealedFields: SealedFields
  readonly clock: Pick<Clock, 'now'>
  /** The setting `push_key`. */
  readonly current: number
  /** Whom the operator of a push service can ask: an address with `https` or `mailto`. */
  readonly contact: () => string
}): Vapid {
  const { database, sealedFields, clock, current, contact } = dependencies
  const secrets = new Map<number, () => Promise<string>>()
  const pairOf = async (pair: number) => {
    const read = secrets.get(pair) ?? createStoredSecret({ database, sealedFields, id: `vapid-${pair}`, make: newPrivateKey })
    secrets.set(pair, read)
    const privateKey = Buffer.from(await read(), 'base64url')
    const curve = createECDH('prime256v1')
    curve.setPrivateKey(privateKey)
    return { privateKey, publicKey: curve.getPublicKey() }
  }
  return {
    current,
    publicKey: async (pair) => (await pairOf(pair)).publicKey.toString('base64url'),
    async authorization(endpoint, pair) {
      const { privateKey, publicKey } = await pairOf(pair)
      const [x, y] = [publicKey.subarray(1, 33), publicKey.subarray(33)].map((part) => part.toString('base64url')) as [string, string]
      const jwk = { kty: 'EC', crv: 'P-256', d: privateKey.toString('base64url'), x, y }
      const claims = { aud: new URL(endpoint).origin, exp: Math.floor(clock.now() / 1_000) + validSeconds, sub: contact() }
      const text = [{ typ: 'JWT', alg: 'ES256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
      const key = createPrivateKey({ key: jwk, format: 'jwk' })
      const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
      return `vapid t=${text}.${signature}, k=${publicKey.toString('base64url')}`
    },
  }
}

function newPrivateKey(): string {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  // The number may begin with zeros, which are left out.
  return Buffer.from(curve.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url')
}
