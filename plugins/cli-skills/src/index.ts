import { definePlugin, type Plugin } from '@agent-service/sdk'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { checkSkillCommand, createSkillCommand, removeSkillCommand, updateSkillCommand } from './change-skill.js'
import { installSkillCommand } from './install-skill.js'
import { listSkillsCommand } from './list-skills.js'
import { showSkillCommand } from './show-skill.js'
import { validateSkillCommand } from './validate-skill.js'

/** Skills of agents in the terminal. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'cli-skills',
    apiVersion: 1,
    description: 'The commands skills list, show, install, check, update, remove, create and validate: skills of agents in the terminal.',
    contributes: ['cli.command'],
  },
  setup(context) {
    for (const command of [
      ...[listSkillsCommand, showSkillCommand, installSkillCommand, checkSkillCommand, updateSkillCommand],
      ...[removeSkillCommand, createSkillCommand, validateSkillCommand],
    ])
      context.contribute(cliCommands, command)
  },
})
export default plugin
