import type { ChannelMessage } from '@agent-service/sdk/contracts/channel'
import type { Connection } from '../store/connection.js'
import type { Sender } from '../store/sender.js'

/**
 * What becomes of a message: it is accepted, held until its sender was let in (`pair`: they are shown a
 * code first), or passed over, and why.
 */
export type Admission = 'accept' | 'pair' | 'hold' | 'bot' | 'not_mentioned' | 'not_allowed' | 'denied'

/** Decides by the access policy of the connection. Pure. */
export function admissionOf(
  { access, answer_bots: answerBots, mention_required: mentionRequired, user_id: userId }: Connection,
  sender: Sender | undefined,
  message: {
    readonly conversation: Pick<ChannelMessage['conversation'], 'kind'>
    readonly sender: Pick<ChannelMessage['sender'], 'bot'>
    readonly mentioned: boolean
    readonly button?: string | null
  },
  now: number,
): Admission {
  const { conversation } = message
  if (message.sender.bot && !answerBots) return 'bot'
  if (conversation.kind === 'group' && mentionRequired && !message.mentioned && message.button == null) return 'not_mentioned'
  if (sender?.state === 'denied') return 'denied'
  if (sender?.state === 'approved') return 'accept'
  if (access === 'open' && userId !== null) return 'accept'
  // Bots are let in by hand alone, and a code in a group would be shown to everyone there.
  if (access !== 'pairing' || message.sender.bot || conversation.kind === 'group') return 'not_allowed'
  if (sender?.code == null || sender.code_expires_at === null || Date.parse(sender.code_expires_at) <= now) return 'pair'
  return 'hold'
}
