import { defineCollection } from '@agent-service/sdk/services/database'

/**
 * An import in progress: records are stored under this id before their chat exists. It is removed
 * with the last step of the import.
 */
export type ImportRecord = {
  /** The id that the chat will have. */
  readonly id: string
  readonly user_id: string
  readonly started_at: string
  /** The import of another product's export that it is a part of. Absent: of a document of this service. */
  readonly part_of?: string
}

export const importCollection = defineCollection<ImportRecord>()({
  name: 'agents.imports',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})
