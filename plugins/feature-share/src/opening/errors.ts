import { defineError } from '@agent-service/sdk'

/** Too many links that do not exist were asked for. Says nothing about the one that was asked for now. */
export const tooManyMissesError = defineError<Record<string, never>>({
  code: 'rate_limited',
  status: 429,
  title: 'Too many requests',
  message: () => 'Too many links that do not work were opened from this network. Try again in a minute.',
})
