export { type IdempotencyDecision, type IdempotencyStore, idempotencyToken, type StoredAnswer } from './idempotency-store.js'
