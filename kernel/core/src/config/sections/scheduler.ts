import { type Static, Type } from '@agent-service/sdk'

/** Section `scheduler`: recurring work. */
export const schedulerSection = Type.Object(
  {
    poll_secs: Type.Integer({ default: 60, minimum: 1, 'x-unit': 'seconds', description: 'How often the scheduler checks for due tasks.' }),
  },
  { title: 'Scheduler', description: 'Recurring work.' },
)

export type SchedulerSection = Static<typeof schedulerSection>
