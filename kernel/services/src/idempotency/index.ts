export { createIdempotency } from './answer-once.js'
export { createIdempotencyStore, idempotencyCollections } from './create-idempotency-store.js'
