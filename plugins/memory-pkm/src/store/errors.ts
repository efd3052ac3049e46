import { defineError } from '@agent-service/sdk'

/** A user's memories were changed again and again while one more change waited for its turn. */
export const memoriesBusyError = defineError<Record<string, never>>({
  code: 'memories_busy',
  status: 409,
  title: 'Memories busy',
  message: () => 'The memories are being changed by others all the time. Try again in a moment.',
})

/** A user has the most memories that are kept. */
export const memoryFullError = defineError<{ readonly maxMemories: number }>({
  code: 'memory_full',
  status: 409,
  title: 'Memory full',
  message: ({ maxMemories }) => `There are ${maxMemories} memories, which is the most that are kept. Forget some of them first.`,
})
