import { type JsonValue, validate } from '@agent-service/sdk'
import { v7 as uuidv7 } from 'uuid'
import { cutText, storableObject, wellFormed } from '../../common/well-formed.js'
import { listedMessage, type Message } from '../../store/chats/message.js'
import type { Run, RunFailure, RunTerms } from '../../store/runs/run.js'
import type { RunStepBody } from '../../store/runs/run-step.js'
import { insertMessage } from '../../store/runs/write-message.js'
import type { Transition } from '../log/transition.js'
import type { Answer } from '../log/turn-records.js'

/** How often a model is told what is wrong with its answer. */
const maximumCorrections = 2
/** The most of what is wrong that is told, in UTF-16 code units. */
const longestProblems = 4_000

/** What a final answer comes to: the value that was asked for, or what is wrong. */
export type ReadResult = { readonly value: JsonValue } | { readonly problems: string }

/** Reads the value of a final answer. A code fence around it does no harm. */
export function readResult({ schema }: NonNullable<RunTerms['result']>, answer: Pick<Answer, 'content' | 'stopReason'>): ReadResult {
  const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const [, fenced] = /^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$/s.exec(text) ?? []
  let value: JsonValue
  try {
    value = JSON.parse(fenced ?? text) as JsonValue
  } catch (error) {
    const cut = answer.stopReason === 'length' ? ' It was cut off because it was too long.' : ''
    return { problems: `The answer is not JSON: ${error instanceof Error ? wellFormed(error.message) : 'it cannot be read.'}${cut}` }
  }
  const kept = storableObject({ value })
  if (!kept) return { problems: 'The answer is nested too deeply, or has a member that is not allowed.' }
  const problems = validate(schema, value)
  if (problems.length === 0) return { value: kept['value'] ?? null }
  return { problems: wellFormed(cutText(problems.map(({ path, message }) => `${path}: ${message}`).join('\n'), longestProblems)) }
}

/** Whether the model may be asked once more. */
export const mayCorrect = (steps: readonly RunStepBody[]): boolean =>
  steps.filter(({ type }) => type === 'result.refused').length < maximumCorrections

/**
 * Tells the model what is wrong, as a message of its chat, so that it is there in whatever is read later. `message` is set once it is
 * stored.
 */
export function refusedTransition(run: Run, turn: number, problems: string): Transition & { readonly message: () => Message | undefined } {
  const id = uuidv7()
  let message: Message | undefined
  return {
    steps: [{ type: 'result.refused', turn, message_id: id, problems }],
    async write(transaction, now) {
      const said = 'Your answer does not have the form that was asked for.'
      const text = `[The service, not the person] ${said}\n${problems}\nAnswer again with the JSON value alone.`
      const content = [{ type: 'text', text }] as const
      message = (await insertMessage(transaction, { id, run, role: 'user', status: 'complete', content, now })).message
    },
    events: () => (message ? [{ name: 'message.created', data: { message: listedMessage(message) } }] : []),
    message: () => message,
  }
}

/** What is said of a run whose model does not come to an answer of the form that was asked for. */
export const resultFailure = (problems: string): RunFailure => ({
  code: 'run_result_invalid',
  message: `The agent did not give an answer of the form that was asked for. ${problems}`,
})
