import type { Api } from '../../../support/api.js'

/** A message of the service to a person, as an administrator sees it. */
export interface SeenDelivery {
  readonly id: string
  readonly conversation_id: string
  readonly kind: string
  readonly state: string
  readonly created_at: string
}

/** The answers of agents over a connection, newest first: of one page, or all. */
export async function answersOf(api: Api, connection: string, pages: 'one' | 'all'): Promise<readonly SeenDelivery[]> {
  const found: SeenDelivery[] = []
  for (let cursor: unknown, isFirst = true; isFirst || typeof cursor === 'string'; isFirst = false) {
    const query = typeof cursor === 'string' ? `&cursor=${encodeURIComponent(cursor)}` : ''
    const { status, body } = await api.request('GET', `/api/admin/channels/connections/${connection}/deliveries?limit=200${query}`)
    if (status !== 200) throw new Error(`The deliveries were answered with ${status}: ${JSON.stringify(body)}`)
    found.push(...(body['items'] as readonly SeenDelivery[]).filter(({ kind }) => kind === 'answer'))
    cursor = pages === 'all' ? body['next_cursor'] : undefined
  }
  return found
}
