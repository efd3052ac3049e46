import type { JsonObject } from '@agent-service/sdk'
import {
  type CredentialContent,
  type CredentialOwner,
  credentialInvalidError,
  type NewCredential,
  type OAuthClient,
  type OAuthTokens,
} from '@agent-service/sdk/services/credentials'
import { problemWithUrl } from '../common/safe-url.js'

const maxFields = 32
const maxContentBytes = 256 * 1024
const maxDetailsBytes = 4 * 1024
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
const purposePattern = /^[a-z][a-z0-9-]{0,63}$/
const fieldPattern = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/
const labelPattern = /^(?=.*\S)[^\p{Cc}]{1,200}$/u

/** @throws `credential_invalid` naming the member, never a value. */
export function checkCredential({ owner, id, purpose, label, details }: NewCredential): void {
  if (owner !== 'deployment' && owner.userId === '') refuse('owner.userId must not be empty')
  if (id !== undefined && !idPattern.test(id)) refuse(`id must match ${idPattern.source}`)
  if (!purposePattern.test(purpose)) refuse(`purpose must match ${purposePattern.source}`)
  checkMembers({ label, ...(details && { details }) })
}

/** @throws `credential_invalid`. */
export function checkMembers({ label, details }: { readonly label?: string; readonly details?: JsonObject }): void {
  if (label !== undefined && !labelPattern.test(label)) refuse('label must have 1 to 200 characters and no control characters')
  if (details !== undefined && Buffer.byteLength(JSON.stringify(details)) > maxDetailsBytes)
    refuse(`details must be at most ${maxDetailsBytes} bytes of JSON`)
}

/** @throws `credential_invalid`. */
export function checkContent(owner: CredentialOwner, content: CredentialContent): void {
  if (content.kind === 'secret') checkFields(content.fields)
  else {
    if (content.client) checkClient(owner, content.client)
    if (content.tokens) checkTokens(content.tokens)
    else if (content.client?.renewal !== 'client_credentials')
      refuse('tokens are required unless the client uses renewal: client_credentials')
  }
  if (Buffer.byteLength(JSON.stringify(content)) > maxContentBytes) refuse(`the content must be at most ${maxContentBytes} bytes`)
}

/** @throws `credential_invalid`. */
export function checkClient(owner: CredentialOwner, client: OAuthClient): void {
  if (client.clientId === '') refuse('client.clientId must not be empty')
  for (const name of ['tokenUrl', 'authorizationUrl', 'deviceUrl', 'revocationUrl'] as const) {
    const url = client[name]
    const problem = url === undefined ? undefined : problemWithUrl(url, owner)
    if (problem !== undefined) refuse(`client.${name} ${problem}`)
  }
  if (client.renewal === 'client_credentials' && client.clientSecret === undefined)
    refuse('client.clientSecret is required for renewal: client_credentials')
}

function checkFields(fields: Readonly<Record<string, string>>): void {
  const names = Object.keys(fields)
  if (names.length === 0 || names.length > maxFields) refuse(`fields must have 1 to ${maxFields} entries, not ${names.length}`)
  for (const name of names) {
    if (!fieldPattern.test(name)) refuse(`the name of a field must match ${fieldPattern.source}`)
    if (typeof fields[name] !== 'string' || fields[name] === '') refuse(`fields.${name} must be a non-empty text`)
  }
}

function checkTokens({ accessToken, refreshToken }: OAuthTokens): void {
  if (accessToken === '' || refreshToken === '') refuse('tokens must not be empty')
}

function refuse(reason: string): never {
  throw credentialInvalidError.create({ reason })
}
