import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database } from '@agent-service/sdk/services/database'
import type { SealedFields } from '@agent-service/sdk/services/secrets'
import { signingKeyCollection } from '../store/notification.js'

/** What a link stands for. */
export interface Unsubscription {
  readonly userId: string
  readonly kind: string
}

/**
 * Links that end the e-mails of one kind for one person, without a sign-in. They say what they do
 * and are signed by a key of this deployment (HMAC-SHA-256), so they work as long as the deployment
 * does, also from an e-mail that is years old.
 */
export interface Unsubscribe {
  /** The path of the link. */
  pathOf(userId: string, kind: string): Promise<string>
  /** What the token of a link stands for; `undefined` for any other text. */
  read(token: string): Promise<Unsubscription | undefined>
}

const keyId = 'unsubscribe'
const maxToken = 1_000
export const unsubscribePath = '/api/notifications/unsubscribe'

export function createUnsubscribe(dependencies: { readonly database: Database; readonly sealedFields: SealedFields }): Unsubscribe {
  const { database, sealedFields } = dependencies
  const place = { collection: signingKeyCollection, id: keyId, field: 'key' }
  let known: Promise<Buffer> | undefined
  const readKey = async (): Promise<Buffer> => {
    const keys = database.collection(signingKeyCollection)
    if (!(await keys.get(keyId))) {
      const key = await sealedFields.seal(randomBytes(32).toString('base64url'), place)
      // Another process may be first: its key counts.
      await database.transaction(async (transaction) => {
        if (!(await transaction.get(signingKeyCollection, keyId))) transaction.insert(signingKeyCollection, { id: keyId, key })
      })
    }
    const stored = await keys.get(keyId)
    if (!stored) throw new Error('The key that signs links in e-mails was not stored.')
    return Buffer.from(await sealedFields.open(stored.key, place), 'base64url')
  }
  const key = (): Promise<Buffer> => {
    known ??= readKey().catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
  const signature = async (text: string): Promise<Buffer> =>
    createHmac('sha256', await key())
      .update(text)
      .digest()

  return {
    async pathOf(userId, kind) {
      const text = Buffer.from(JSON.stringify([userId, kind])).toString('base64url')
      return `${unsubscribePath}/${text}.${(await signature(text)).toString('base64url')}`
    },
    async read(token) {
      const [text = '', given = '', more] = token.length > maxToken ? [] : token.split('.')
      const expected = await signature(text)
      const actual = Buffer.from(given, 'base64url')
      if (more !== undefined || actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined
      const [userId = '', kind = ''] = JSON.parse(Buffer.from(text, 'base64url').toString()) as readonly string[]
      return { userId, kind }
    },
  }
}
