import { defineError } from '@agent-service/sdk'

/** Nothing can be decided, so nothing is allowed. What is wrong is for the log. */
export const policiesUnavailableError = defineError<{ readonly reason: string }>({
  code: 'policies_unavailable',
  status: 503,
  title: 'Policies unavailable',
  message: () => 'The policies of this service cannot be used at the moment, so nothing is allowed. The log of the service has the reason.',
})

/** The text is no policy, or speaks of what the schema does not have. `problems` has each place. */
export const policyInvalidError = defineError<Readonly<Record<never, never>>>({
  code: 'policy_invalid',
  status: 422,
  title: 'Invalid policy',
  message: () => 'The text is not a policy that can be used; see errors for line and column.',
})

/** A policy of the service itself. */
export const policyReadOnlyError = defineError<{ readonly id: string }>({
  code: 'policy_read_only',
  status: 409,
  title: 'Policy ships with the service',
  message: ({ id }) =>
    `“${id}” ships with the service and cannot be changed here. Add a policy of your own: a forbid wins over every permit.`,
})

/** With this change the admin who asks for it could not take it back. */
export const policyLocksOutError = defineError<Readonly<Record<never, never>>>({
  code: 'policy_locks_out',
  status: 409,
  title: 'Policy locks you out',
  message: () =>
    'With this change you could no longer list, read, change or delete policies, and so not take it back. Narrow it so that you keep these.',
})

/** There are as many policies as may be stored. */
export const tooManyPoliciesError = defineError<{ readonly limit: number }>({
  code: 'too_many_policies',
  status: 409,
  title: 'Too many policies',
  message: ({ limit }) => `There are ${limit} stored policies, and no more may be added. Delete some, or join several into one.`,
})

/** Others change policies faster than this change can be judged. */
export const policiesBusyError = defineError<Readonly<Record<never, never>>>({
  code: 'policies_busy',
  status: 503,
  title: 'Policies are changing',
  message: () => 'The policies are being changed by others at this moment; try again.',
})
