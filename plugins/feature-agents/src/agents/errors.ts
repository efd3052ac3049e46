import { defineError } from '@agent-service/sdk'

/** The agent was changed after the caller read it. */
export const staleAgentError = defineError<{ readonly expected: string; readonly actual: number }>({
  code: 'stale_agent',
  status: 412,
  title: 'Agent changed in the meantime',
  message: ({ expected, actual }) =>
    `The agent is at version ${actual}, and the change was made against ${expected}. Read the agent again and repeat the change.`,
})

/** An agent that was not made from a shared one, or whose shared one is no longer there. */
export const noSharedAgentError = defineError<Record<string, never>>({
  code: 'no_shared_agent',
  status: 409,
  title: 'No shared agent',
  message: () => 'There is no shared agent that this one could adopt: it was not made from one, or that one no longer ships.',
})
