import { definePlugin, type Plugin } from '@agent-service/sdk'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { addPromptCommand } from './add-prompt.js'
import { listPromptsCommand } from './list-prompts.js'
import { removePromptCommand } from './remove-prompt.js'
import { showPromptCommand } from './show-prompt.js'

/** Saved prompts of a running service in the terminal. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'cli-prompts',
    apiVersion: 1,
    description: 'The commands prompts list, show, add and remove: saved prompts in the terminal.',
    contributes: ['cli.command'],
  },
  setup(context) {
    for (const command of [listPromptsCommand, showPromptCommand, addPromptCommand, removePromptCommand])
      context.contribute(cliCommands, command)
  },
})
export default plugin
