import { defineError } from '@agent-service/sdk'

/** The memories, the chat or the ontology are no longer what a stored result of a stage was made from. */
export const checkpointStaleError = defineError<{ readonly reason: string }>({
  code: 'memory_checkpoint_stale',
  status: 409,
  title: 'Result of a stage is stale',
  message: ({ reason }) => `The pass begins again after its extraction: ${reason}.`,
})
