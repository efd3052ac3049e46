import { defineError } from '../../core/errors.js'

/** A schedule that cannot be read, or that never comes round. `problems` has each place. */
export const scheduleInvalidError = defineError<{ readonly cron: string; readonly reason: string }>({
  code: 'schedule_invalid',
  status: 422,
  title: 'Invalid schedule',
  message: ({ cron, reason }) => `The schedule ${JSON.stringify(cron.slice(0, 100))} is not valid: ${reason}.`,
})
