import { defineError } from '@agent-service/sdk'

/** The agent was changed after the caller read it. */
export const staleAgentError = defineError<{ readonly expected: string; readonly actual: number }>({
  code: 'stale_agent',
  status: 412,
  title: 'Agent changed in the meantime',
  message: ({ expected, actual }) =>
    `The agent is at version ${actual}, but the change was made against ${expected}. Read the agent again and repeat the change.`,
})

/** The agent was not made from a shared agent, or that shared agent no longer exists. */
export const noSharedAgentError = defineError<Record<string, never>>({
  code: 'no_shared_agent',
  status: 409,
  title: 'No shared agent',
  message: () => 'This agent has no shared agent to adopt: it was not made from one, or the service no longer ships that one.',
})
