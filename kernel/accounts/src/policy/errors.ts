import { defineError } from '@agent-service/sdk'

/** The policies cannot be used, so nothing is allowed. Only the log has the reason. */
export const policiesUnavailableError = defineError<{ readonly reason: string }>({
  code: 'policies_unavailable',
  status: 503,
  title: 'Policies unavailable',
  message: () =>
    'The policies of this service cannot be used at the moment, so nothing is allowed. See the log of the service for the reason.',
})

/**
 * The text is not a policy, or refers to something that the schema does not have. `problems` lists
 * each place.
 */
export const policyInvalidError = defineError<Readonly<Record<never, never>>>({
  code: 'policy_invalid',
  status: 422,
  title: 'Invalid policy',
  message: () => 'The text is not a valid policy; see errors for line and column.',
})

/** The policy belongs to the service and is read-only. */
export const policyReadOnlyError = defineError<{ readonly id: string }>({
  code: 'policy_read_only',
  status: 409,
  title: 'Policy ships with the service',
  message: ({ id }) =>
    `“${id}” ships with the service and cannot be changed here. Add a policy of your own: a forbid overrides every permit.`,
})

/** The admin who requested this change could not undo it. */
export const policyLocksOutError = defineError<Readonly<Record<never, never>>>({
  code: 'policy_locks_out',
  status: 409,
  title: 'Policy locks you out',
  message: () =>
    'After this change you could no longer list, read, change or delete policies, and so not undo it. Narrow it so that you keep these rights.',
})

/** The limit of stored policies is reached. */
export const tooManyPoliciesError = defineError<{ readonly limit: number }>({
  code: 'too_many_policies',
  status: 409,
  title: 'Too many policies',
  message: ({ limit }) => `The limit of ${limit} stored policies is reached. Delete some, or join several into one.`,
})

/** Policies change faster than this change can be checked. */
export const policiesBusyError = defineError<Readonly<Record<never, never>>>({
  code: 'policies_busy',
  status: 503,
  title: 'Policies are changing',
  message: () => 'The policies are being changed concurrently; try again.',
})
