import { signalWithin, untilAborted } from '@agent-service/sdk/async'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { ModelMessage } from '@agent-service/sdk/contracts/provider-adapter'
import { withoutReasoning } from '@agent-service/sdk/model-answers'
import type { Database } from '@agent-service/sdk/services/database'
import type { Inference, InferenceAttribution, LostCall } from '@agent-service/sdk/services/inference'
import type { Resources } from '@agent-service/sdk/services/resources'
import { v5 as uuidv5 } from 'uuid'
import { shorten } from '../context/transcript.js'
import { messagesAlong } from '../store/chats/branch-messages.js'
import type { Chat } from '../store/chats/chat.js'
import type { Message } from '../store/chats/message.js'
import { runCollection } from '../store/runs/run.js'
import { titleFailedError, titleUnusableError } from './errors.js'
import { titleFromAnswer } from './title-from-answer.js'
import { titleGroup } from './title-group.js'

/** How long one call may take, in milliseconds. */
export const titleTimeoutMs = 30_000
/**
 * The most text of the question and of the answer that the model reads, in UTF-16 code units each;
 * less if it is the model of the answers, since that may cost more than a small one.
 */
const maxTextLength = 2_000
const maxTextLengthOfAnswers = 500
/** The most tokens of a title, with the reasoning before it. */
const maxOutputTokens = 256
/** How many messages are looked at for the first question and its answer. */
const maxMessages = 20
const fenceNamespace = '0a3f7d52-8c9e-4a35-b1d4-62f0c1c7e9ab'

/** Writes the titles of chats by model calls. */
export interface TitleWriter {
  /**
   * Asks the model once; failures of the vendor are not repeated here. @throws `title_failed`,
   * `title_unusable`, what the inference throws, the signal's reason.
   */
  write(
    chat: Chat,
    order: { readonly attribution: InferenceAttribution; readonly lostCalls: readonly LostCall[]; readonly signal: AbortSignal },
  ): Promise<string>
}

export function createTitleWriter(dependencies: {
  readonly database: Database
  readonly inference: Pick<Inference, 'groups' | 'infer'>
  readonly resources: Resources
}): TitleWriter {
  const { database, inference, resources } = dependencies
  return {
    async write(chat, { attribution, lostCalls, signal: outer }) {
      const run = attribution.runId === undefined ? undefined : await database.collection(runCollection).get(attribution.runId)
      const found = titleGroup(inference, run?.model_group)
      if (!found) throw titleUnusableError.create({ reason: 'no model is configured.' })
      const { group, isOfAnswers } = found
      const material = await materialOf(database, chat, isOfAnswers ? maxTextLengthOfAnswers : maxTextLength)
      const messages = askFor(await readInstructions(resources), material)
      const signal = signalWithin(titleTimeoutMs, outer)
      const settings = { max_tokens: Math.min(maxOutputTokens, group.max_tokens ?? maxOutputTokens) }
      const request = { group: group.name, messages, tools: [], settings, attribution, ...(lostCalls.length > 0 && { lostCalls }) }
      try {
        for await (const event of untilAborted(inference.infer(request, { signal }), signal)) {
          // The group may repeat a failed call for minutes, and a title is not worth that.
          if (event.type === 'attempt.retrying' && event.delay_ms > 0) throw titleFailedError.create({ reason: event.reason })
          if (event.type !== 'response.finished') continue
          const title = titleFromAnswer(event.content.map((part) => (part.type === 'text' ? part.text : '')).join(''))
          if (title === undefined) throw titleUnusableError.create({ reason: `its answer has no words (${event.stop_reason}).` })
          return title
        }
      } catch (error) {
        if (signal.aborted && !outer.aborted) {
          throw titleFailedError.create({ reason: `it took longer than ${titleTimeoutMs / 1_000} seconds.` }, { cause: error })
        }
        throw error
      }
      throw titleFailedError.create({ reason: 'the answer broke off.' })
    },
  }
}

/** The first question and its answer, in the branch that is shown. */
async function materialOf(database: Database, chat: Chat, maxLength: number): Promise<string> {
  let question = ''
  let looked = 0
  for await (const message of messagesAlong(database, chat.path, { order: 'ascending', to: chat.message_count, pageSize: maxMessages })) {
    if (question === '' && message.role === 'user') question = textOf(message, maxLength)
    const answer = message.role === 'assistant' ? textOf(message, maxLength) : ''
    if (answer !== '') return `The person:\n${question}\n\nThe agent:\n${answer}`
    looked += 1
    if (looked === maxMessages) break
  }
  return `The person:\n${question}`
}

const textOf = ({ role, content, attachments = [] }: Message, maxLength: number): string => {
  const names = attachments.map(({ name }) => `(the file ${name})`)
  const written = content.flatMap((part, index) => (part.type === 'text' && index >= attachments.length ? [part.text] : []))
  const texts = role === 'assistant' ? written.map((text) => withoutReasoning(text)) : written
  return shorten([...names, ...texts].join('\n').trim(), maxLength)
}

async function readInstructions(resources: Resources): Promise<string> {
  try {
    return (await resources.read('prompts/tasks/title.md')).trim()
  } catch (error) {
    if (!notFoundError.isInstance(error)) throw error
    throw titleUnusableError.create(
      { reason: 'the file prompts/tasks/title.md is missing in storage.shared_config_dir.' },
      { cause: error },
    )
  }
}

/** The material stands between two lines that its authors could not know. */
function askFor(instructions: string, material: string): readonly ModelMessage[] {
  const fence = uuidv5(material, fenceNamespace)
  const text = `----- material ${fence} -----\n${material}\n----- end of the material ${fence} -----\n\nWrite the title.`
  return [
    { role: 'system', content: [{ type: 'text', text: instructions }] },
    { role: 'user', content: [{ type: 'text', text }] },
  ]
}
