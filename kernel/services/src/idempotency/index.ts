export { createIdempotencyStore, idempotencyCollections } from './create-idempotency-store.js'
