import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database } from '@agent-service/sdk/services/database'
import type { SealedFields } from '@agent-service/sdk/services/secrets'
import { createStoredSecret } from '../store/stored-secret.js'

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

const maxToken = 1_000
export const unsubscribePath = '/api/notifications/unsubscribe'

export function createUnsubscribe(dependencies: { readonly database: Database; readonly sealedFields: SealedFields }): Unsubscribe {
  const { database, sealedFields } = dependencies
  const make = (): string => randomBytes(32).toString('base64url')
  const secret = createStoredSecret({ database, sealedFields, id: 'unsubscribe', make })
  const signature = async (text: string): Promise<Buffer> =>
    createHmac('sha256', Buffer.from(await secret(), 'base64url'))
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
