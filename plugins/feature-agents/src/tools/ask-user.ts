import { type JsonObject, Type } from '@agent-service/sdk'
import type { Tool, ToolQuestion } from '@agent-service/sdk/contracts/tool'
import { toolWords } from './tool-words.js'

const optionsOf = ({ options }: JsonObject): readonly string[] =>
  Array.isArray(options) ? options.filter((option): option is string => typeof option === 'string') : []

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/**
 * Asks the person a question. The call waits for the answer, also across restarts; the host asks,
 * and this tool returns the answer.
 */
export function createAskUserTool(): Tool {
  return {
    specVersion: 1,
    name: 'ask_user',
    title: 'Ask the person',
    display: toolWords.ask_user,
    description:
      'Asks the person one question and waits for their answer. Use it when you cannot go on without something that only they know or decide; do not use it for what you can find out yourself, nor to make a statement. Offer options if there are a few sensible answers: the person may still answer in their own words. They may also decline to answer.',
    parameters: Type.Object({
      question: Type.String({ minLength: 1, maxLength: 2_000, description: 'One question, understandable on its own.' }),
      options: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 10, description: 'Answers to choose from.' }),
      ),
    }),
    // Asking has no side effect, and the answer is stored with the call, so it may run again.
    effect: 'read',
    supports: { probe: false },
    purpose: (input) => oneLine(String(input['question'])),
    asks: (input): ToolQuestion => ({ question: String(input['question']), options: optionsOf(input) }),
    async execute(_, { answer }) {
      if (answer === undefined) return { isError: true, content: [{ type: 'text', text: 'The person could not be asked.' }] }
      return { content: [{ type: 'text', text: answer }] }
    },
  }
}
