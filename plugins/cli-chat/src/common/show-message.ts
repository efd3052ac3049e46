import type { JsonObject } from '@agent-service/sdk'
import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'
import { fallbackLine } from './fallback-line.js'
import type { ToolWordLines } from './tool-words.js'

/** Who wrote a message of the role `user`: the person, or an agent in their place. */
function writerOf({ sent_by: sender }: JsonObject): string {
  if (typeof sender !== 'object') return 'you'
  const { name } = sender as JsonObject
  return typeof name === 'string' ? name : 'an agent'
}

/** Prints a message of a chat for people, its texts unshortened. */
export async function showMessage(
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
  const { fallback } = message
  if (typeof fallback === 'object') await print(fallbackLine(fallback as JsonObject), { style: 'yellow' })
  if (message['status'] === 'partial' || message['status'] === 'failed') await print('(this message is incomplete)', { style: 'yellow' })
}
