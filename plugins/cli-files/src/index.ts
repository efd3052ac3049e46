import { definePlugin, type Plugin } from '@agent-service/sdk'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { changeCommands } from './change-files.js'
import { getFileCommand } from './get-file.js'
import { binCommand, listFilesCommand, restoreCommand, searchFilesCommand } from './list-files.js'
import { putFileCommand } from './put-file.js'

/** The files of a person in the terminal. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'cli-files',
    apiVersion: 1,
    description: 'The commands files list, search, get, put, move, copy, remove, bin and restore: your files in the terminal.',
    contributes: ['cli.command'],
  },
  setup(context) {
    const commands = [listFilesCommand, searchFilesCommand, getFileCommand, putFileCommand, ...changeCommands, binCommand, restoreCommand]
    for (const command of commands) context.contribute(cliCommands, command)
  },
})
export default plugin
