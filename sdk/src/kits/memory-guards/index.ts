/**
 * What keeps secrets and orders to agents out of memories that agents and background work write.
 *
 * @packageDocumentation
 */
export { findSecret, maskSecrets } from './find-secrets.js'
export type { FoundSecret, SecretKind } from './found-secret.js'
export { looksLikeInstruction, looksPlanted } from './instructions.js'
