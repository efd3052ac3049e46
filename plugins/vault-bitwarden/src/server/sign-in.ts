import { createHash } from 'node:crypto'
import { type VaultRefusal, vaultContentInvalidError, vaultUnauthorizedError } from '@agent-service/sdk/contracts/vault-connector'
import type { Account } from '../connection/members.js'
import { vault } from '../connection/vault-name.js'
import { type KeyDerivation, readKeyDerivation } from '../crypto/key-derivation.js'
import { type Answer, objectOf, stringOf } from '../json/camel-case.js'
import { answerOf, bodyOf, type Send } from './http.js'

/** What a sign-in gives. */
export interface SignedIn {
  readonly token: string
  /** How long the token lasts, in milliseconds. */
  readonly lifetimeMs: number
  /** The account's key, encrypted by its master key. */
  readonly encryptedKey: string
  readonly derivation: KeyDerivation
  /** What the master password is salted with: the e-mail address, unless the server says otherwise. */
  readonly salt?: string
}

/** Signs in with the API key of the account. The master password is not sent. @throws the errors of the contract. */
export async function signIn(send: Send, account: Account, options: { readonly signal: AbortSignal }): Promise<SignedIn> {
  const { clientId, clientSecret, servers, isSystem } = account
  const form = new URLSearchParams({
    ...{ grant_type: 'client_credentials', scope: 'api', client_id: clientId, client_secret: clientSecret },
    ...{ deviceType: '21', deviceIdentifier: deviceOf(account), deviceName: 'agent-service' },
  })
  const url = `${servers.identity}/connect/token`
  const request = { url, method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form.toString() }
  const response = await send(account, request, options)
  if (response.status >= 400) throw refusal(response.status, answerOf(response.body))
  const answer = bodyOf(response)
  const token = stringOf(answer['access_token'])
  const unlock = objectOf(objectOf(answer['userDecryptionOptions'])?.['masterPasswordUnlock'])
  const encryptedKey = stringOf(unlock?.['masterKeyEncryptedUserKey']) ?? stringOf(answer['key'])
  if (token === undefined) throw invalid('it answered to the sign-in without a token')
  if (encryptedKey === undefined) throw invalid('the account has no key of its own; it has to have a master password')
  const salt = stringOf(unlock?.['salt']) ?? emailOf(token)
  const seconds = answer['expires_in']
  return {
    ...{ token, encryptedKey, derivation: readKeyDerivation(kdfOf(answer, unlock), { isSystem }) },
    lifetimeMs: (typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, 86_400) : 600) * 1_000,
    ...(salt === undefined ? {} : { salt }),
  }
}

const invalid = (reason: string): Error => vaultContentInvalidError.create({ vault, reason })

function kdfOf(answer: Answer, unlock: Answer | undefined): Parameters<typeof readKeyDerivation>[0] {
  const kdf = objectOf(unlock?.['kdf'])
  if (kdf !== undefined)
    return { kind: kdf['kdfType'], iterations: kdf['iterations'], memory: kdf['memory'], parallelism: kdf['parallelism'] }
  const { kdf: kind, kdfIterations: iterations, kdfMemory: memory, kdfParallelism: parallelism } = answer
  return { kind, iterations, memory, parallelism }
}

/** The same device for a connection every time, as the server lists the devices of an account. */
function deviceOf({ id, clientId }: Account): string {
  const hex = createHash('sha256').update(`agent-service device\n${id}\n${clientId}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The claim of the token; its signature is the server's own affair. */
export function emailOf(token: string): string | undefined {
  const claims = answerOf(Buffer.from(token.split('.')[1] ?? '', 'base64url'))
  return stringOf(claims?.['email'])?.trim().toLowerCase()
}

function refusal(status: number, answer: Answer | undefined): Error {
  return vaultUnauthorizedError.create({ vault, reason: status === 400 || status === 401 ? reasonOf(answer) : 'unknown' })
}

/** Servers say it in several ways; the text of the error is the surest. */
function reasonOf(answer: Answer | undefined): VaultRefusal {
  if (answer === undefined) return 'unknown'
  if (answer['twoFactorProviders'] !== undefined || answer['twoFactorProviders2'] !== undefined) return 'second_factor'
  const text = [answer['error'], answer['error_description'], answer['message'], objectOf(answer['errorModel'])?.['message']]
    .join(' ')
    .toLowerCase()
  if (/device verification|new device|two.?factor|captcha/.test(text)) return 'second_factor'
  if (/disabled|revoked/.test(text)) return 'revoked'
  if (/expired/.test(text)) return 'expired'
  return /invalid_client|invalid_grant|incorrect|client_id|client_secret|password/.test(text) ? 'wrong' : 'unknown'
}
