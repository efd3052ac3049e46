export { createIdempotencyStore, idempotencyCollections } from './create-idempotency-store.js'
export { type IdempotencyStore, idempotencyToken } from './idempotency-store.js'
