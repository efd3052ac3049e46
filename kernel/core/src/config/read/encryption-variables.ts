import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { pathKey, type ValuePath } from '../schema/dotted-path.js'
import type { Finding } from '../schema/problem.js'
import { isObject, own, textsIn } from '../schema/schema-node.js'
import { referencesIn, shownReferences } from './references.js'

/** The one field that may refer to the variable of the encryption secret. */
const encryptionSecretPath = pathKey(['auth', 'encryption_secret'])

/** The variable with the new secret for `agent-service rekey`. */
export const newEncryptionSecretVariable = 'AGENT_SERVICE_NEW_ENCRYPTION_SECRET'

/**
 * The names that set the field, and the one that sets its whole section; names of variables are
 * case-insensitive.
 */
const ownNames = /^SERVICE_AUTH(__?ENCRYPTION_SECRET)?$/i

/**
 * Recognizes the variables that contain the current or the new encryption secret: those that set
 * it, and those that the file refers to for it. No other setting may refer to them, since their
 * value decrypts everything that is stored.
 */
export function encryptionVariables(file: JsonObject): (name: string) => boolean {
  const auth = own(file, 'auth')
  const written = isObject(auth) ? own(auth, 'encryption_secret') : undefined
  const named: ReadonlySet<string> = new Set(typeof written === 'string' ? referencesIn(written) : [])
  return (name) => named.has(name) || name === newEncryptionSecretVariable || ownNames.test(name)
}

/** Every reference to such a variable outside the secret itself, and how to correct it. */
export const reservedReferences = (value: JsonValue, path: ValuePath, isReserved: (name: string) => boolean): readonly Finding[] =>
  [...textsIn({}, value, path)].flatMap(({ text, path: at }) => {
    const names = pathKey(at) === encryptionSecretPath ? [] : referencesIn(text).filter(isReserved)
    if (names.length === 0) return []
    const message = `refers to ${shownReferences(names)}, which contains the encryption secret; only auth.encryption_secret may refer to it. Use another variable for this field`
    return [{ path: at, message }]
  })
