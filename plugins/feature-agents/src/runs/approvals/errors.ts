import { defineError } from '@agent-service/sdk'

/** Somebody has answered already, and not the same. */
export const approvalResolvedError = defineError<{
  readonly callId: string
  readonly status: string
  readonly at: string
  readonly by: string
}>({
  code: 'approval_resolved',
  status: 409,
  title: 'Already answered',
  message: ({ callId, status, at, by }) =>
    `The question about the call ${callId} was ${status} by “${by}” at ${at}. That stands. Cancel the run to stop what follows from it.`,
})

/** Nobody answered in time. */
export const approvalExpiredError = defineError<{ readonly callId: string; readonly at: string }>({
  code: 'approval_expired',
  status: 409,
  title: 'Too late',
  message: ({ callId, at }) =>
    `The question about the call ${callId} could be answered until ${at}. The call is not made. Write a message to have it made again.`,
})

/** The call is not made, whatever the answer. */
export const approvalWithdrawnError = defineError<{ readonly callId: string; readonly runId: string }>({
  code: 'approval_withdrawn',
  status: 409,
  title: 'No longer asked',
  message: ({ callId, runId }) =>
    `The question about the call ${callId} no longer counts: the run ${runId} has ended or is being stopped, or a message was written instead.`,
})
