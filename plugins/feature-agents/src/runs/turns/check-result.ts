import type { JsonValue } from '@agent-service/sdk'
import { v7 as uuidv7 } from 'uuid'
import { cutText, storableObject, wellFormed } from '../../common/well-formed.js'
import { type ForeignSchemas, type SchemaCheckOptions, schemaUnusableError } from '../../foreign-schemas/foreign-schemas.js'
import { listedMessage, type Message } from '../../store/chats/message.js'
import type { Run, RunFailure, RunTerms } from '../../store/runs/run.js'
import type { RunStepBody } from '../../store/runs/run-step.js'
import { insertMessage } from '../../store/runs/write-message.js'
import type { Transition } from '../log/transition.js'
import type { Answer } from '../log/turn-records.js'

/** How often a model may correct its answer. */
const maxCorrections = 2
/** The most text about problems that the model is sent, in UTF-16 code units. */
const maxProblemsLength = 4_000

/** The value of a final answer, or its problems. */
export type ReadResult = { readonly value: JsonValue } | { readonly problems: string }

/**
 * Reads the value of a final answer; a code fence around it is allowed. @throws the errors of a
 * schema check except `schema_unusable`.
 */
export async function readResult(
  { schema }: NonNullable<RunTerms['result']>,
  answer: Pick<Answer, 'content' | 'stopReason'>,
  schemas: ForeignSchemas,
  options: SchemaCheckOptions,
): Promise<ReadResult> {
  const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  let value: JsonValue
  try {
    value = JSON.parse(withoutFence(text)) as JsonValue
  } catch (error) {
    const cut = answer.stopReason === 'length' ? ' It was cut off because it was too long.' : ''
    return { problems: `The answer is not JSON: ${error instanceof Error ? wellFormed(error.message) : 'it cannot be read.'}${cut}` }
  }
  const kept = storableObject({ value })
  if (!kept) return { problems: 'The answer is nested too deeply, or has a member that is not allowed.' }
  let problems: Awaited<ReturnType<ForeignSchemas['check']>>
  try {
    problems = await schemas.check(schema, value, options)
  } catch (error) {
    if (!schemaUnusableError.isInstance(error)) throw error
    return { problems: error.message }
  }
  if (problems.length === 0) return { value: kept['value'] ?? null }
  return { problems: wellFormed(cutText(problems.map(({ path, message }) => `${path}: ${message}`).join('\n'), maxProblemsLength)) }
}

/**
 * The text between the fences of a code block, or the text itself if it is not one. Takes time in
 * proportion to its length.
 */
function withoutFence(text: string): string {
  const block = text.trim()
  const from = block.indexOf('\n')
  const to = block.lastIndexOf('\n')
  if (from === -1 || to <= from || block.slice(to).trim() !== '```') return text
  return /^```(?:json)?$/.test(block.slice(0, from).trimEnd()) ? block.slice(from, to) : text
}

/** Whether the model may correct its answer once more. */
export const mayCorrect = (steps: readonly RunStepBody[]): boolean =>
  steps.filter(({ type }) => type === 'result.refused').length < maxCorrections

/**
 * Sends the model the problems as a message of its chat, so that later turns have it too. `message`
 * is set after it was stored.
 */
export function refusedTransition(run: Run, turn: number, problems: string): Transition & { readonly message: () => Message | undefined } {
  const id = uuidv7()
  let message: Message | undefined
  return {
    steps: [{ type: 'result.refused', turn, message_id: id, problems }],
    async write(transaction, now) {
      const verdict = 'Your answer does not have the requested form.'
      const text = `[The service, not the person] ${verdict}\n${problems}\nAnswer again with only the JSON value.`
      const content = [{ type: 'text', text }] as const
      message = (await insertMessage(transaction, { id, run, role: 'user', status: 'complete', content, now })).message
    },
    events: () => (message ? [{ name: 'message.created', data: { message: listedMessage(message) } }] : []),
    message: () => message,
  }
}

/** The failure of a run whose model returned no answer in the requested form. */
export const resultFailure = (problems: string): RunFailure => ({
  code: 'run_result_invalid',
  message: `The agent did not answer in the requested form. ${problems}`,
})
