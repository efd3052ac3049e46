import type { CredentialOwner, Credentials, OAuthClient } from '@agent-service/sdk/services/credentials'
import { createFakeAudit } from '@agent-service/sdk/testing'
import { type CredentialsParts, createCredentialsOf } from '../credentials-of-plugin.js'
import { createRenewals } from '../renewal/renew-tokens.js'
import type { FormRequest, PostForm, ServerResponse } from '../server/post-form.js'
import { createSignIns } from '../sign-in/sign-ins.js'
import { createCredentialStore } from '../store/credential-store.js'
import { createFakeDatabase, createFakeLog, createFakeSecrets, createInstantClock, type FakeDatabase, fakeSealedFields } from './fakes.js'

export const client: OAuthClient = {
  clientId: 'client',
  tokenUrl: 'https://vendor.test/token',
  deviceUrl: 'https://vendor.test/device',
  authorizationUrl: 'https://vendor.test/login?tenant=1',
}
export const owner: CredentialOwner = { userId: 'user-1' }

/** One process of the service over a scripted server whose refresh tokens work once. */
export function openService(options: { readonly database?: FakeDatabase; readonly postForm?: PostForm; readonly still?: boolean } = {}) {
  const clock = createInstantClock({ still: options.still === true })
  const database = options.database ?? createFakeDatabase()
  const secrets = createFakeSecrets()
  const log = createFakeLog()
  const stop = new AbortController()
  const asked: FormRequest[] = []
  let answer: ServerResponse | undefined
  let beforeAnswer = async (): Promise<void> => undefined
  const postForm: PostForm = async (question, asking) => {
    asked.push(question)
    const number = asked.length
    if (options.postForm) return options.postForm(question, asking)
    await beforeAnswer()
    return answer ?? { kind: 'answer', body: { access_token: `access-${number}`, refresh_token: `refresh-${number}`, expires_in: 3_600 } }
  }
  const audit = createFakeAudit()
  const store = createCredentialStore({ database, secrets, clock, audit, sealedFields: fakeSealedFields })
  const signIns = createSignIns({ store, postForm, clock, log, callbackUrl: () => 'http://service.test/callback' })
  const parts: CredentialsParts = {
    ...{ store, signIns, postForm, clock, log, signal: stop.signal },
    renewals: createRenewals({ store, postForm, clock, log, signal: stop.signal, holder: crypto.randomUUID() }),
  }
  return {
    ...{ clock, database, secrets, audit, log, asked, store, signIns, parts, stop },
    of: (pluginId: string): Credentials => createCredentialsOf(pluginId, parts),
    answers: (given: ServerResponse | undefined) => {
      answer = given
    },
    meanwhile: (work: () => Promise<void>) => {
      beforeAnswer = work
    },
  }
}

/** The error of a rejected promise; fails if it resolves. */
export async function errorOf(promise: Promise<unknown>): Promise<Error & { readonly code: string }> {
  try {
    await promise
  } catch (error) {
    return error as Error & { readonly code: string }
  }
  throw new Error('The promise was not rejected.')
}
