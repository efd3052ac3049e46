import { defineError } from '@agent-service/sdk'

export const duplicateJobError = defineError<{ readonly id: string; readonly owner: string; readonly other: string }>({
  code: 'duplicate_job',
  status: 500,
  title: 'Duplicate job',
  message: ({ id, owner, other }) => `The job “${id}” of ${owner} already exists: it belongs to ${other}. Rename one of them.`,
})

export const jobInvalidError = defineError<{ readonly id: string; readonly reason: string }>({
  code: 'job_invalid',
  status: 500,
  title: 'Job invalid',
  message: ({ id, reason }) => `The job “${id}” cannot be scheduled: ${reason}.`,
})

/** The abort reason of a job that runs too long. */
export const jobTimeoutError = defineError<{ readonly id: string; readonly seconds: number }>({
  code: 'job_timeout',
  status: 500,
  title: 'Job timed out',
  message: ({ id, seconds }) => `The job “${id}” did not end within ${seconds} s.`,
})
