import { defineCommand, textOf } from '@agent-service/sdk/contracts/cli-command'
import { commandOf, findPrompt } from './find-prompt.js'

/** Deletes a prompt. */
export const removePromptCommand = defineCommand({
  name: 'prompts remove',
  summary: 'delete a saved prompt of yours',
  arguments: [{ name: 'command', description: 'its command, such as translate', required: true }],
  async run({ arguments: [command = ''], request, print }) {
    const id = textOf((await findPrompt(request, command, { own: true }))['id'])
    await request('DELETE', `/api/prompts/${encodeURIComponent(id)}`)
    await print(`Deleted “/${commandOf(command)}”.`)
    return { status: 0, json: { id } }
  },
})
