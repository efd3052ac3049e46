import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { pathKey, type ValuePath } from '../schema/dotted-path.js'
import type { Finding } from '../schema/problem.js'
import { isObject, own } from '../schema/schema-node.js'
import { textsIn } from '../schema/texts-in.js'
import { referencesIn, shownReferences } from './references.js'

/** The one field that may refer to the variable of the encryption secret. */
const encryptionSecretPath = pathKey(['auth', 'encryption_secret'])

/** Where `agent-service rekey` finds the secret that is to come. */
export const newEncryptionSecretVariable = 'AGENT_SERVICE_NEW_ENCRYPTION_SECRET'

/** The names that set the field, and the one that sets its whole section; the environment's names are read without regard to case. */
const ownNames = /^SERVICE_AUTH(__?ENCRYPTION_SECRET)?$/i

/**
 * Tells the variables that hold the encryption secret, of today or to come: those that set it, and those that the file refers to in its place. They may
 * be referred to nowhere else, since everything that is stored could be read by what they hold.
 */
export function encryptionVariables(file: JsonObject): (name: string) => boolean {
  const auth = own(file, 'auth')
  const written = isObject(auth) ? own(auth, 'encryption_secret') : undefined
  const named: ReadonlySet<string> = new Set(typeof written === 'string' ? referencesIn(written) : [])
  return (name) => named.has(name) || name === newEncryptionSecretVariable || ownNames.test(name)
}

/** Every place in a value that refers to such a variable and is not the secret's own, and how to mend it. */
export const reservedReferences = (value: JsonValue, path: ValuePath, isReserved: (name: string) => boolean): readonly Finding[] =>
  [...textsIn({}, value, path)].flatMap(({ text, path: at }) => {
    const names = pathKey(at) === encryptionSecretPath ? [] : referencesIn(text).filter(isReserved)
    if (names.length === 0) return []
    const message = `refers to ${shownReferences(names)}, which holds the encryption secret and may be named by auth.encryption_secret alone; give this field a variable of its own`
    return [{ path: at, message }]
  })
