import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'
import { fallbackLine } from './fallback-line.js'
import { madeFileLines } from './made-file-lines.js'
import { itemsOf } from './pages.js'
import { createToolWordLines, type ToolWordLines } from './tool-words.js'

/** Who wrote a message of the role `user`: the person, or an agent in their place. */
function writerOf({ sent_by: sender }: JsonObject): string {
  if (typeof sender !== 'object') return 'you'
  const { name } = sender as JsonObject
  return typeof name === 'string' ? name : 'an agent'
}

/** A page of messages with their runs, as the service lists them, of the branch of a chat that is shown. */
export interface MessagePage {
  readonly branchId: unknown
  readonly messages: readonly JsonObject[]
  readonly runs: readonly JsonObject[]
}

export const messagePageOf = (chat: JsonObject, page: JsonValue): MessagePage => ({
  branchId: chat['branch_id'],
  messages: itemsOf(page),
  runs: ((page as JsonObject)['runs'] ?? []) as readonly JsonObject[],
})

/** Prints messages that have ended, each run that failed or was stopped with why. */
export async function showMessages(context: Pick<CommandContext, 'print' | 'write' | 'request'>, page: MessagePage): Promise<void> {
  const lines = createToolWordLines(context)
  for (const [index, message] of page.messages.entries()) {
    if (message['status'] === 'open') continue
    const end = endLine(runEndingAt(page, index))
    if (end === undefined || message['role'] === 'user' || message['status'] !== 'failed') await showMessage(context, message, lines)
    if (end !== undefined) await context.print(end, { style: 'red' })
  }
}

/** The run whose last message this is; behind a person's message, one that ended without any of its own. */
function runEndingAt({ branchId, messages, runs }: MessagePage, index: number): JsonObject | undefined {
  const message = messages[index]
  if (messages.slice(index + 1).some(({ run_id }) => run_id === message?.['run_id'])) return undefined
  const own = runs.find(({ id }) => id === message?.['run_id'])
  if (message?.['role'] !== 'user') return own
  const next = messages[index + 1]
  // What a branch answers again, another run answers.
  if (next) return next['role'] === 'user' ? own : undefined
  const newest = runs.at(-1)
  return newest?.['branch_id'] === branchId ? newest : undefined
}

function endLine(run: JsonObject | undefined): string | undefined {
  if (run?.['status'] === 'cancelled') return '(stopped)'
  if (run?.['status'] !== 'failed') return undefined
  const failure = run['failure'] as JsonObject | null | undefined
  return `(failed: ${String(failure?.['message'] ?? 'the reason is not known')})`
}

/** Prints a message of a chat for people, its texts unshortened. */
async function showMessage(
  { print, write }: Pick<CommandContext, 'print' | 'write'>,
  message: JsonObject,
  lines: ToolWordLines,
): Promise<void> {
  const parts = Array.isArray(message['content']) ? (message['content'] as readonly JsonObject[]) : []
  for (const part of parts) {
    switch (part['type']) {
      case 'text':
        if (message['role'] === 'user') await write(`${writerOf(message)}> `, { style: 'bold' })
        await write(`${String(part['text']).trimEnd()}\n`)
        break
      case 'reasoning':
        break
      case 'tool_call':
        await print(await lines.call(part), { style: 'dim' })
        break
      case 'tool_result':
        await print(await lines.result(part), { style: part['is_error'] === true ? 'red' : 'dim' })
        break
      default:
        await print(`[${String(part['type'])}${typeof part['name'] === 'string' ? ` ${part['name']}` : ''}]`, { style: 'dim' })
    }
  }
  for (const line of madeFileLines(message['made_files'])) await print(line, { style: 'dim' })
  const { fallback } = message
  if (typeof fallback === 'object') await print(fallbackLine(fallback as JsonObject), { style: 'yellow' })
  if (message['status'] === 'partial' || message['status'] === 'failed') await print('(this message is incomplete)', { style: 'yellow' })
}
