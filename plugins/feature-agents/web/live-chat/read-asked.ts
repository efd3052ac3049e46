import { readAll } from '@agent-service/sdk/web'
import { api, type Schemas } from '../api/index.js'

/** What a person was asked about a call. */
export type Asked = Schemas['ApprovalOrQuestion']

/** The approvals and questions of a chat with this status, by their call. */
export async function readAsked(chatId: string, status: Asked['status']): Promise<Record<string, Asked>> {
  const query = { chat_id: chatId, status, limit: 200 }
  const found = await readAll((cursor) => api.get('/api/approvals', { query: { ...query, ...(cursor !== undefined && { cursor }) } }))
  return Object.fromEntries(found.map((asked) => [asked.call_id, asked]))
}
