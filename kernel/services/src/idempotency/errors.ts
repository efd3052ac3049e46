import { defineError } from '@agent-service/sdk'

/** An idempotency key was sent again with a different request. */
export const idempotencyKeyReusedError = defineError<Readonly<Record<never, never>>>({
  code: 'idempotency_key_reused',
  status: 422,
  title: 'Idempotency key reused',
  message: () => 'This Idempotency-Key was already used for a different request; use a new key for a new request.',
})

/** The first request with this key has not been answered yet. */
export const idempotencyInProgressError = defineError<Readonly<Record<never, never>>>({
  code: 'idempotency_in_progress',
  status: 409,
  title: 'Still in progress',
  message: () => 'The first request with this Idempotency-Key is still in progress; try again after the time in Retry-After.',
})
