import { defineError } from '@agent-service/sdk'

/** A stage has failed; `reason` is for the person who looks at the pass. */
export const stageFailedError = defineError<{ readonly reason: string }>({
  code: 'memory_stage_failed',
  status: 500,
  title: 'Stage failed',
  message: ({ reason }) => reason,
})
