import { defineError } from '@agent-service/sdk'
import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'
import { textOption } from '../common/options.js'

/** The most bytes of a message from standard input. */
const maxBytes = 1_048_576

/** There is nothing to send. */
export const messageEmptyError = defineError<{ readonly source: string }>({
  code: 'message_empty',
  status: 400,
  title: 'Empty message',
  message: ({ source }) => `${source} has no text to send.`,
})

/**
 * The one message of this call: that of `--message`, or all of standard input if that is “-” or if
 * standard input is not a terminal; `undefined` for a conversation.
 * @throws `message_empty`, `input_too_large`.
 */
export async function readMessage(context: CommandContext): Promise<string | undefined> {
  const given = textOption(context, 'message')
  if (given === undefined && context.inputIsTerminal) return undefined
  const fromInput = given === undefined || given === '-'
  const message = fromInput ? (await context.readAll({ maxBytes })).trimEnd() : given
  if (message.trim() === '') throw messageEmptyError.create({ source: fromInput ? 'Standard input' : '--message' })
  return message
}
