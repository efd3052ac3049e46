import { createHash } from 'node:crypto'
import type { Logger } from '@agent-service/sdk'
import type { ClientAuthenticationMethod } from '@agent-service/sdk/oauth-client'
import { type Database, defineCollection } from '@agent-service/sdk/services/database'

/** The method that a provider took last. */
export interface StoredMethod {
  /** A hash of the authority and the client. */
  readonly id: string
  readonly method: ClientAuthenticationMethod
}

export const methodsCollection = defineCollection<StoredMethod>()({ name: 'sso.client_methods', version: 1, indexes: {} })

/** The method with which the provider took the client last, for all processes and after a restart. */
export interface WorkingMethod {
  get(): Promise<ClientAuthenticationMethod | undefined>
  /** Never fails: without it the next sign-in tries the others again. */
  remember(method: ClientAuthenticationMethod): Promise<void>
}

export function createWorkingMethod(dependencies: {
  readonly database: Database
  readonly authority: string
  readonly clientId: string
  readonly log: Pick<Logger, 'warn'>
}): WorkingMethod {
  const { database, authority, clientId, log } = dependencies
  const id = createHash('sha256').update(`${authority}\n${clientId}`).digest('hex')
  const get = async (): Promise<ClientAuthenticationMethod | undefined> => (await database.collection(methodsCollection).get(id))?.method
  return {
    get,
    async remember(method) {
      try {
        await database.transaction(async (transaction) => {
          if ((await transaction.get(methodsCollection, id))?.method !== method) transaction.put(methodsCollection, { id, method })
        })
      } catch (error) {
        log.warn('The method by which the identity provider takes this service could not be stored.', { error })
      }
    },
  }
}
