import { defineError } from '@agent-service/sdk'

/** The options of a subscription are not valid. */
export const subscriptionInvalidError = defineError<{ readonly id: string; readonly reason: string }>({
  code: 'subscription_invalid',
  status: 500,
  title: 'Subscription not valid',
  message: ({ id, reason }) => `The event subscription “${id}” cannot be started: ${reason}.`,
})

/** The abort reason of a handler that takes too long. */
export const handlerTimeoutError = defineError<{ readonly id: string; readonly seconds: number }>({
  code: 'event_handler_timeout',
  status: 500,
  title: 'Event handler timed out',
  message: ({ id, seconds }) => `The handler of the event subscription “${id}” did not end within ${seconds} s.`,
})
