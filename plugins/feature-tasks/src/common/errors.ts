import { defineError } from '@agent-service/sdk'

export const taskEndedError = defineError<{ readonly status: string; readonly what: string }>({
  code: 'task_ended',
  status: 409,
  title: 'Task has ended',
  message: ({ status, what }) => `This task is ${status}, so it cannot be ${what}. Create a new one, or run it again.`,
})

export const taskCannotRunError = defineError<{ readonly reason: string }>({
  code: 'task_cannot_run',
  status: 409,
  title: 'Task cannot run now',
  message: ({ reason }) => reason,
})

export const taskTooDeepError = defineError<{ readonly max: number }>({
  code: 'task_too_deep',
  status: 409,
  title: 'Too many tasks below each other',
  message: ({ max }) => `Tasks may create tasks ${max} levels deep, and this one would be deeper. Do the work in the present task.`,
})

export const taskAgentForbiddenError = defineError<{ readonly agent: string }>({
  code: 'task_agent_forbidden',
  status: 403,
  title: 'Not allowed',
  message: ({ agent }) => `The policies of this service do not let this agent hand work to “${agent}”.`,
})
