import { type JsonObject, type Problem, validate } from '@agent-service/sdk'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import { type VaultConnector, vaultConnectionInvalidError } from '@agent-service/sdk/contracts/vault-connector'
import { secretNames } from './connection.js'
import { userFilePath } from './vault-file.js'

const maxMembersBytes = 64 * 1024

/** Members in two parts: what may be shown, and what is sealed. */
export interface SplitMembers {
  readonly open: JsonObject
  readonly secret: JsonObject
}

/**
 * Members as a person entered them, checked against the form of the connector. @throws
 * `invalid_request` with each problem, never with a value; `vault_connection_invalid`.
 */
export function splitMembers(connector: VaultConnector, given: JsonObject): SplitMembers {
  const problems: Problem[] = validate(connector.connection, given).map(({ path, message }) => ({
    path: `/members${path === '/' ? '' : path}`,
    message,
  }))
  if (Buffer.byteLength(JSON.stringify(given)) > maxMembersBytes)
    problems.push({ path: '/members', message: `must have at most ${maxMembersBytes} bytes of JSON` })
  if (problems.length > 0) throw invalidRequestError.create({ where: 'body' }, { problems })
  const path = connector.file === undefined ? undefined : given[connector.file]
  if (connector.file !== undefined) {
    if (typeof path !== 'string') throw vaultConnectionInvalidError.create({ member: connector.file, reason: 'is missing' })
    userFilePath(path, connector.file)
  }
  const names = new Set(secretNames(connector))
  const part = (secret: boolean): JsonObject => Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name) === secret))
  return { open: part(false), secret: part(true) }
}
