import { defineError } from '@agent-service/sdk'

/** The question already has another answer. */
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
    `The question about the call ${callId} was ${status} by “${by}” at ${at}. That decision stands. Cancel the run to stop its effects.`,
})

/** The question was not answered in time. */
export const approvalExpiredError = defineError<{ readonly callId: string; readonly at: string }>({
  code: 'approval_expired',
  status: 409,
  title: 'Approval expired',
  message: ({ callId, at }) =>
    `The question about the call ${callId} could be answered until ${at}. The call will not be made. Send a message to have it made again.`,
})

/** The call will not be made, whatever the answer. */
export const approvalWithdrawnError = defineError<{ readonly callId: string; readonly runId: string }>({
  code: 'approval_withdrawn',
  status: 409,
  title: 'Approval withdrawn',
  message: ({ callId, runId }) =>
    `The question about the call ${callId} was withdrawn: the run ${runId} has ended or is being stopped, or a message was sent instead.`,
})
