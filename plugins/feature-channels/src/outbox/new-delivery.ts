import { shortenText, splitText, textFits } from '@agent-service/sdk/channels'
import { v7 as uuidv7 } from 'uuid'
import { idOf } from '../common/ids.js'
import { textOf } from '../common/time.js'
import type { Connection } from '../store/connection.js'
import type { Delivery } from '../store/delivery.js'
import { lineOf } from '../store/inbox.js'

/** The line of a conversation at a vendor. */
export const lineOfConversation = (connectionId: string, conversationId: string): string => lineOf(connectionId, idOf(conversationId))

export interface NewDelivery {
  readonly conversationId: string
  readonly userId: string | null
  readonly text: string
  /** In milliseconds since 1970. */
  readonly now: number
}

export const newDelivery = (connection: Pick<Connection, 'id'>, { conversationId, userId, text, now }: NewDelivery): Delivery => {
  const order = uuidv7()
  return {
    ...{ id: order, connection_id: connection.id, user_id: userId, line: lineOfConversation(connection.id, conversationId), order },
    ...{
      conversation_id: conversationId,
      kind: 'notice',
      edit_of: null,
      run_id: null,
      chunk: { index: 0, count: 1 },
      text,
      buttons: [],
      reply_to: null,
      file: null,
      keeps: null,
    },
    ...{
      state: 'queued',
      attempts: 0,
      not_before: 0,
      doubt_since: null,
      vendor_id: null,
      failure: null,
      created_at: textOf(now),
      settled_at: null,
    },
  }
}

/** Something that the service itself says in a conversation, short enough for every channel. */
export const noticeOf = (
  connection: Pick<Connection, 'id' | 'form'>,
  delivery: NewDelivery & Partial<Pick<Delivery, 'kind' | 'reply_to'>>,
): Delivery => {
  const { kind = 'notice', reply_to = null, ...given } = delivery
  return {
    ...newDelivery(connection, {
      ...given,
      text: splitText(given.text, { limit: connection.form.text, markdown: connection.form.markdown })[0] ?? given.text,
    }),
    kind,
    reply_to,
  }
}

/** What a run asks, whole and in order; the last message has the id and the buttons. */
export function questionDeliveries(
  connection: Pick<Connection, 'id' | 'form'>,
  {
    id,
    runId,
    buttons,
    text,
    ...given
  }: NewDelivery & { readonly id: string; readonly runId: string; readonly buttons: Delivery['buttons'] },
): readonly Delivery[] {
  const pieces = splitText(text, { limit: connection.form.text, markdown: connection.form.markdown })
  return pieces.map((piece, index) => {
    const isLast = index === pieces.length - 1
    return {
      ...newDelivery(connection, { ...given, text: piece }),
      ...{ id: isLast ? id : `${id}.${index}`, kind: 'question', run_id: runId, chunk: { index, count: pieces.length } },
      buttons: isLast ? buttons : [],
    }
  })
}

/** What becomes of a question that is over: it says so, and has no buttons any more. */
export const questionEdit = (
  connection: Pick<Connection, 'id' | 'form'>,
  of: Delivery,
  { outcome, now }: { readonly outcome: string; readonly now: number },
): Delivery => {
  const { text: limit, markdown } = connection.form
  const whole = `${of.text}\n\n${outcome}`
  const text = textFits(whole, limit) ? whole : shortenText(whole, { limit, markdown, ending: `…\n\n${outcome}` })
  return {
    ...newDelivery(connection, { conversationId: of.conversation_id, userId: of.user_id, text, now }),
    ...{ id: `e.${of.id}`, kind: 'edit', edit_of: of.id, run_id: of.run_id },
  }
}

/** The messages of an answer, in order, under ids that are the same each time. */
export function answerDeliveries(
  connection: Pick<Connection, 'id' | 'form'>,
  {
    id,
    pieces,
    runId,
    replyTo,
    ...given
  }: Omit<NewDelivery, 'text'> & {
    readonly id: string
    readonly pieces: readonly string[]
    readonly runId: string | null
    readonly replyTo: string | null
  },
): readonly Delivery[] {
  return pieces.map((text, index) => ({
    ...newDelivery(connection, { ...given, text }),
    ...{ id: `${id}.${index}`, kind: 'answer', run_id: runId, chunk: { index, count: pieces.length } },
    reply_to: index === 0 && connection.form.replies ? replyTo : null,
  }))
}
