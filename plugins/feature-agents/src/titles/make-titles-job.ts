import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Titles } from './create-titles.js'

/** Begins with titles that no process works on: it was killed, or had too many. */
export const createMakeTitlesJob = (titles: Pick<Titles, 'resume'>): SchedulerJob => ({
  specVersion: 1,
  id: 'agents.make-titles',
  title: 'Make the titles of chats',
  everySeconds: 300,
  timeoutSeconds: 60,
  run: ({ signal }) => titles.resume(signal),
})
