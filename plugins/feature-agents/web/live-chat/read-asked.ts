import { api, type Schemas } from '../api/index.js'

/** What a person was asked about a call. */
export type Asked = Schemas['ApprovalOrQuestion']

/** The approvals and questions of a chat with this status, by their call. */
export async function readAsked(chatId: string, status: Asked['status']): Promise<Record<string, Asked>> {
  const found: Record<string, Asked> = {}
  let cursor: string | null = null
  do {
    const query = { chat_id: chatId, status, limit: 200, ...(cursor !== null && { cursor }) }
    const page: { readonly items: readonly Asked[]; readonly next_cursor: string | null } = await api.get('/api/approvals', { query })
    for (const asked of page.items) found[asked.call_id] = asked
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
}
