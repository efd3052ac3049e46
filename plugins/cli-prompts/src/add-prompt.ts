import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { defineError } from '@agent-service/sdk'
import { defineCommand, objectOf, textOf } from '@agent-service/sdk/contracts/cli-command'
import { commandOf } from './find-prompt.js'

const fileUnreadableError = defineError<{ readonly file: string; readonly reason: string }>({
  code: 'file_unreadable',
  status: 422,
  title: 'File not readable',
  message: ({ file, reason }) => `“${file}” cannot be read: ${reason}.`,
})

/** Saves a prompt. */
export const addPromptCommand = defineCommand({
  name: 'prompts add',
  summary: 'save a prompt, from a text or from a file with --file',
  arguments: [
    { name: 'command', description: 'what is typed behind “/”, such as translate', required: true },
    { name: 'text', description: 'the text; {{name}} and {{name=default}} are asked for when it is used', required: false },
  ],
  options: [
    { name: 'file', description: 'take the text from this file', value: 'path' },
    { name: 'title', description: 'the title in lists; by default the command', value: 'title' },
  ],
  async run({ arguments: [typed = '', text], options, request, print, warn }) {
    const { file, title } = options
    if ((text === undefined) === (file === undefined)) {
      await warn('Give the text, or a file with --file.', { style: 'red' })
      return { status: 1 }
    }
    const command = commandOf(typed)
    const body = { command, title: typeof title === 'string' ? title : command, text: text ?? (await textOfFile(String(file))) }
    const prompt = objectOf(await request('POST', '/api/prompts', body))
    await print(`Saved “/${textOf(prompt['command'])}”.`)
    return { status: 0, json: prompt }
  },
})

async function textOfFile(given: string): Promise<string> {
  const file = path.resolve(given)
  try {
    return (await readFile(file, 'utf8')).trimEnd()
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    throw fileUnreadableError.create({ file, reason: code === 'ENOENT' ? 'it does not exist' : message }, { cause })
  }
}
