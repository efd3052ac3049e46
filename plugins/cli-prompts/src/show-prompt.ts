import { defineCommand, objectOf, textOf } from '@agent-service/sdk/contracts/cli-command'
import { findPrompt } from './find-prompt.js'

/** Prints the text of a prompt, and nothing else. */
export const showPromptCommand = defineCommand({
  name: 'prompts show',
  summary: 'print the text of a saved prompt',
  arguments: [{ name: 'command', description: 'its command, such as translate', required: true }],
  async run({ arguments: [command = ''], request, print }) {
    const { id } = await findPrompt(request, command)
    const prompt = objectOf(await request('GET', `/api/prompts/${encodeURIComponent(textOf(id))}`))
    await print(textOf(prompt['text']))
    return { status: 0, json: prompt }
  },
})
