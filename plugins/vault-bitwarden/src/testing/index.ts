/**
 * A server with the part of Bitwarden's protocol that its official command-line client needs, and
 * the connector as tests use it.
 *
 * @packageDocumentation
 */

export { encrypt as encryptText } from '../crypto/encrypted-strings.js'
export * from './test-account.js'
export * from './test-connector.js'
export * from './test-server.js'
