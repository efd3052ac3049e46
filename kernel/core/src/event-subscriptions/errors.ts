import { defineError } from '@agent-service/sdk'

/** A subscription cannot be what it says. */
export const subscriptionInvalidError = defineError<{ readonly id: string; readonly reason: string }>({
  code: 'subscription_invalid',
  status: 500,
  title: 'Subscription not valid',
  message: ({ id, reason }) => `The event subscription “${id}” cannot be taken up: ${reason}.`,
})

/** The reason that a handler's signal is aborted with when it takes too long. */
export const handlerTimeoutError = defineError<{ readonly id: string; readonly seconds: number }>({
  code: 'event_handler_timeout',
  status: 500,
  title: 'Event handler timed out',
  message: ({ id, seconds }) => `The handler of the event subscription “${id}” did not end within ${seconds} s.`,
})
