import type { Api } from '../../support/api.js'

/** Enters a code that a shared channel has shown somebody, who is this person from then on. */
export async function claimCode(api: Api, code: string | undefined): Promise<void> {
  const shown = await api.request('POST', '/api/channels/pairings/claim', { code })
  const sender = shown.body['sender'] as { readonly sender_id?: string } | undefined
  const { status, body } = await api.request('POST', '/api/channels/pairings/claim', { code, sender_id: sender?.sender_id })
  if (shown.status !== 200 || status !== 200 || body['claimed'] !== true) throw new Error(`A code was refused: ${JSON.stringify(body)}`)
}
