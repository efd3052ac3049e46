import { defineError } from '@agent-service/sdk'

/** Two limits have the same name. `owner`: the plugin that has it; absent if it is the kernel's. */
export const limitConflictError = defineError<{ readonly limit: string; readonly owner?: string }>({
  code: 'limit_conflict',
  status: 500,
  title: 'Limit conflict',
  message: ({ limit, owner }) =>
    `A limit named “${limit}” already exists${owner === undefined ? '' : `: it belongs to “${owner}”`}. Choose another name.`,
})
