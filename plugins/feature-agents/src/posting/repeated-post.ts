import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Transaction } from '@agent-service/sdk/services/database'
import { type Message, messageCollection } from '../store/chats/message.js'
import { type Run, runCollection } from '../store/runs/run.js'
import type { ChatChoice } from './chat-choice.js'
import type { NewPost, Posted, PostKey } from './post.js'

/**
 * The message that an earlier request with this key has stored, whose response was lost with the
 * process. @throws the key's error for another request.
 */
export async function repeatedPost(
  transaction: Transaction,
  { key, content, files, choice, compareWith }: Pick<NewPost, 'key' | 'content' | 'files' | 'choice' | 'compareWith'>,
  now: number,
): Promise<Posted | undefined> {
  const message = key && (await transaction.find(messageCollection, 'by_client_key', [key.clientKey]))
  if (!message) return undefined
  const run = await transaction.get(runCollection, message.run_id)
  if (!isKnown(key, message, run, now)) {
    const { client_key: _, client_hash: __, ...rest } = message
    transaction.put(messageCollection, rest)
    return undefined
  }
  const beside = message.compared_run_id === undefined ? undefined : await transaction.get(runCollection, message.compared_run_id)
  if (beside?.model_group !== compareWith?.model || !isSame(key, { message, run }, { content, paths: files?.paths ?? [], choice }))
    throw key.reused()
  return { message, run, ...(beside && { beside }), repeated: true }
}

const isKnown = ({ lifeMs }: PostKey, message: Message, run: Run | undefined, now: number): run is Run =>
  run !== undefined && (lifeMs === undefined || Date.parse(message.created_at) + lifeMs >= now)

/**
 * Whether a message equals the one that a request posts. Files are compared by path: their content
 * may have changed since.
 */
function isSame(
  { hash }: PostKey,
  { message: { client_hash, content, model, attachments = [] }, run }: Pick<Posted, 'message' | 'run'>,
  asked: { readonly content: readonly ContentPart[]; readonly paths: readonly string[]; readonly choice: ChatChoice | undefined },
): boolean {
  if (hash !== undefined) return client_hash === hash
  const { agentId, model: chosen } = asked.choice ?? {}
  if (model !== (chosen ?? undefined) || (agentId !== undefined && agentId !== run.agent_id)) return false
  const stored = [attachments.map(({ path }) => path), content.slice(attachments.length)]
  return JSON.stringify(stored) === JSON.stringify([asked.paths, asked.content])
}
