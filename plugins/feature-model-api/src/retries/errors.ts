import { defineError } from '@agent-service/sdk'

/** An idempotency key was sent again with another request. */
export const keyReusedError = defineError<Readonly<Record<never, never>>>({
  code: 'idempotency_key_reused',
  status: 422,
  title: 'Idempotency key reused',
  message: () => 'This Idempotency-Key was already used for another request. Use a new key for a new request.',
})

/** The model was tried again until the caller's time was over. `reason`: the newest failure. */
export const answerOverdueError = defineError<{ readonly seconds: number; readonly reason: string }>({
  code: 'answer_overdue',
  status: 503,
  title: 'No answer in time',
  message: ({ seconds, reason }) =>
    `There was no answer within ${seconds} seconds after the first failed attempt, so it was given up. The newest failure: ${reason}`,
})
