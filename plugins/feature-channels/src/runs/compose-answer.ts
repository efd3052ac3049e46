import { plainTextOf, shortenText, splitText } from '@agent-service/sdk/channels'
import type { AnswerFallback } from '@agent-service/sdk/services/inference'
import type { RunEvent } from '@agent-service/sdk/services/runs'
import { answerDeliveries } from '../outbox/new-delivery.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import type { Connection } from '../store/connection.js'
import { type Conversation, isForOwner } from '../store/conversation.js'
import type { Delivery } from '../store/delivery.js'

/** The most messages of one answer where the channel names none. */
const maxPieces = 50

/** The messages that say how a run has ended. None for one that was stopped, or said nothing. */
export async function composeAnswer(
  parts: ChannelParts,
  of: {
    readonly connection: Connection
    readonly conversation: Conversation
    readonly ended: Extract<RunEvent, { readonly type: 'finished' }>
    readonly signal: AbortSignal
  },
): Promise<readonly Delivery[]> {
  const { connection, conversation, ended } = of
  const { run, text, fallback } = ended
  // Reasons may tell of models, limits and settings: they are for the owner alone.
  const reason = isForOwner(conversation) ? (run.failure?.message ?? 'it failed.') : 'it failed.'
  const failure = run.status === 'failed' ? `The agent could not go on: ${reason}` : ''
  const whole = run.status === 'cancelled' ? '' : [text.trim(), failure].filter((each) => each !== '').join('\n\n')
  const note = whole !== '' && fallback && isForOwner(conversation) ? fallbackNote(fallback) : ''
  const said = [connection.form.markdown ? whole : await plainTextOf(whole), note].filter((each) => each !== '').join('\n\n')
  const pieces = splitText(said, { limit: connection.form.text, markdown: connection.form.markdown })
  return answerDeliveries(connection, {
    ...{ id: run.id, runId: run.id, userId: conversation.user_id, conversationId: conversation.conversation_id },
    ...{ replyTo: conversation.kind === 'group' ? conversation.reply_to : null, now: parts.clock.now() },
    pieces: pieces.length > (connection.form.share_link_after ?? maxPieces) ? await shortened(parts, of, { whole, said, pieces }) : pieces,
  })
}

/** What the owner reads below an answer of another model. The page of a long answer has the answer alone. */
const fallbackNote = ({ reason, wanted, used, detail = '' }: AnswerFallback): string =>
  reason === 'model_failed'
    ? `(${used} answered in place of ${wanted}: ${detail})`
    : `(The model group “${wanted}” does not exist; “${used}” answered.)`

/** The beginning of a long answer, with a link to all of it. Without links it is sent as far as it may be. */
async function shortened(
  { shareLinks, log }: ChannelParts,
  {
    connection,
    conversation,
    signal,
  }: { readonly connection: Connection; readonly conversation: Conversation; readonly signal: AbortSignal },
  { whole, said, pieces }: { readonly whole: string; readonly said: string; readonly pieces: readonly string[] },
): Promise<readonly string[]> {
  const cut = pieces.slice(0, maxPieces)
  if (!shareLinks) return cut
  try {
    const title = `${connection.title}: ${conversation.title ?? 'an answer'}`.slice(0, 200)
    const link = await shareLinks.shareText({ userId: conversation.user_id, title, messages: [{ role: 'agent', text: whole }] }, { signal })
    return [shortenText(said, { limit: connection.form.text, markdown: connection.form.markdown, ending: `… ${link.contentUrl}` })]
  } catch (error) {
    signal.throwIfAborted()
    log.warn('A long answer got no share link; it is sent in parts.', { connection: connection.id, error })
    return cut
  }
}
