import type { Database } from '@agent-service/sdk/services/database'
import type { RunLog } from '../runs/log/run-log.js'
import { messageCollection } from '../store/chats/message.js'
import { createAnswerText } from './answer-text.js'
import { cursorOf } from './step-event.js'

/** The text of a run's complete messages, and the cursor after its newest step. */
export async function readStoredAnswer(
  { database, log }: { readonly database: Database; readonly log: Pick<RunLog, 'read'> },
  runId: string,
): Promise<{ readonly text: string; readonly reasoning: string; readonly cursor: string | undefined }> {
  const answer = createAnswerText()
  const steps = await log.read(runId)
  for (const { body } of steps) {
    if (body.type !== 'model.completed') continue
    const message = await database.collection(messageCollection).get(body.message_id)
    if (message) answer.complete(message)
  }
  const last = steps.at(-1)
  return { text: answer.text(), reasoning: answer.reasoning(), cursor: last && cursorOf(last) }
}
