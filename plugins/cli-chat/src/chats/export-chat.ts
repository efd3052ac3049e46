import { writeFile } from 'node:fs/promises'
import type { JsonValue } from '@agent-service/sdk'
import { defineCommand } from '@agent-service/sdk/contracts/cli-command'
import { optionInvalidError } from '../common/errors.js'
import { textOption } from '../common/options.js'
import { chatArgument, chatPath } from './chat-paths.js'

/** Exports a chat as Markdown to read, or as JSON that can be imported. */
export const exportChatCommand = defineCommand({
  name: 'chats export',
  summary: 'export a chat as Markdown or, to be imported again, as JSON',
  arguments: [chatArgument],
  options: [
    { name: 'format', description: 'markdown or json; default: markdown, with --json: json', value: 'format' },
    { name: 'output', description: 'write this new file, unchanged; default: print it', value: 'file' },
  ],
  async run(context) {
    const format = textOption(context, 'format') ?? (context.json ? 'json' : 'markdown')
    if (format !== 'json' && format !== 'markdown')
      throw optionInvalidError.create({ option: 'format', expected: 'markdown or json', found: format })
    const text = await context.requestText('GET', `${chatPath(context)}/export?format=${format}`)
    const file = textOption(context, 'output')
    if (file !== undefined) {
      await writeFile(file, text, { flag: 'wx', mode: 0o600 })
      await context.print(`The chat is in ${file}.`)
      return { status: 0, json: { file, format } }
    }
    await context.write(text.endsWith('\n') ? text : `${text}\n`)
    return { status: 0, json: format === 'json' ? (JSON.parse(text) as JsonValue) : { format, text } }
  },
})
