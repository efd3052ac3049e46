import { defineCollection } from '@agent-service/sdk/services/database'

/** A piece of a tool's result that was too long for the model to be shown whole. */
export type ResultPiece = {
  /** `<call_id>/<index>`, the index in four digits. */
  readonly id: string
  readonly call_id: string
  readonly chat_id: string
  readonly user_id: string
  readonly tool: string
  /** Where in the whole text it begins, in UTF-16 code units. */
  readonly from: number
  /** Of the whole text that is kept, in UTF-16 code units. */
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
