import { strict as assert } from 'node:assert'
import type { TObject } from 'typebox'
import type { JsonObject } from '../core/json.js'

/** The title of the suites' test of what is sealed of a connection. */
export const secretMembersTitle = 'marks each secret of a connection as one, so that it is sealed and never shown'

/** Names of members that are secrets wherever they appear. */
const secretName = /(^|_)(token|password|passphrase|passwd|secret|api_?key|private_?key)$/i

/**
 * Fails for a member whose name says that it is a secret and whose schema does not (`x-secret`), and if
 * no member by which wrong credentials differ from good ones is one.
 */
export function assertSecretMembers(schema: TObject, members: JsonObject, wrong: readonly JsonObject[]): void {
  const isSecret = (name: string): boolean =>
    (schema.properties[name] as { readonly 'x-secret'?: boolean } | undefined)?.['x-secret'] === true
  const unmarked = Object.keys(schema.properties).filter((name) => secretName.test(name) && !isSecret(name))
  assert.deepEqual(unmarked, [], 'these are stored and shown as plain text; give their schemas “x-secret”: true')
  const names = new Set(wrong.flatMap((other) => Object.keys({ ...members, ...other }).filter((name) => other[name] !== members[name])))
  if (names.size > 0)
    assert.ok([...names].some(isSecret), `wrong credentials differ in ${[...names].join(', ')}, and none of them has “x-secret”: true`)
}
