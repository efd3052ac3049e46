import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { ChatImports } from './chat-imports.js'

/** Begins with imports that wait, and goes on with those that a restart or a crash has interrupted. */
export const createImportChatsJob = (imports: Pick<ChatImports, 'run'>): SchedulerJob => ({
  specVersion: 1,
  id: 'agents.import-chats',
  title: 'Import chats of other products',
  everySeconds: 1,
  timeoutSeconds: 6 * 3_600,
  run: ({ signal }) => imports.run(signal),
})
