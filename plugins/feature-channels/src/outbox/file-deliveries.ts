import { splitText } from '@agent-service/sdk/channels'
import type { Connection } from '../store/connection.js'
import type { Delivery, DeliveryFile } from '../store/delivery.js'
import { type NewDelivery, newDelivery } from './new-delivery.js'

/**
 * The messages with which a file goes out, in order: what the agent says of it, and in the last one the
 * file itself. Without a file the text has its link. The last one has the id.
 */
export function fileDeliveries(
  connection: Pick<Connection, 'id' | 'form'>,
  {
    id,
    runId,
    text,
    file,
    ...given
  }: Omit<NewDelivery, 'userId'> & {
    readonly id: string
    readonly userId: string
    readonly runId: string
    readonly file: DeliveryFile | null
  },
): readonly Delivery[] {
  const { text: limit, markdown } = connection.form
  const pieces = text === '' ? [''] : splitText(text, { limit, markdown })
  return pieces.map((piece, index) => {
    const isLast = index === pieces.length - 1
    return {
      ...newDelivery(connection, { ...given, text: piece }),
      ...{ id: isLast ? id : `${id}.${index}`, kind: 'file', run_id: runId, chunk: { index, count: pieces.length } },
      ...(isLast && file !== null && { file: { ...file }, keeps: given.userId }),
    }
  })
}
