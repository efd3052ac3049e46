import { defineCollection } from '@agent-service/sdk/services/database'

/** A piece of a tool result that was too long to be shown to the model as a whole. */
export type ResultPiece = {
  /** `<call_id>/<index>`, the index in four digits. */
  readonly id: string
  readonly call_id: string
  readonly chat_id: string
  readonly user_id: string
  readonly tool: string
  /** Where in the whole text it begins, in UTF-16 code units. */
  readonly from: number
  /** The length of the whole stored text, in UTF-16 code units. */
  readonly length: number
  readonly text: string
}

export const resultPieceCollection = defineCollection<ResultPiece>()({
  name: 'agents.results',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_chat: { fields: ['chat_id', 'id'] },
    by_user: { fields: ['user_id', 'id'] },
  },
})
