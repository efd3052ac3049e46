import { definePlugin, type Plugin } from '@agent-service/sdk'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { createAgentCommand, deleteAgentCommand } from './agents/change-agents.js'
import { listAgentsCommand, showAgentCommand } from './agents/show-agents.js'
import { chatCommand } from './chat/chat-command.js'
import { deleteChatCommand, renameChatCommand, restoreChatCommand } from './chats/change-chats.js'
import { exportChatCommand } from './chats/export-chat.js'
import { importChatsCommand } from './chats/import-chats.js'
import { listChatsCommand } from './chats/list-chats.js'
import { showChatCommand } from './chats/show-chat.js'
import { usageCommand } from './usage/usage-command.js'

const commands = [
  ...[
    chatCommand,
    listChatsCommand,
    showChatCommand,
    renameChatCommand,
    deleteChatCommand,
    restoreChatCommand,
    exportChatCommand,
    importChatsCommand,
  ],
  ...[listAgentsCommand, showAgentCommand, createAgentCommand, deleteAgentCommand, usageCommand],
]

/** Chats, agents and usage in the terminal. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'cli-chat',
    apiVersion: 1,
    description: 'The commands chat, chats, agents and usage: talk to agents in a terminal, and manage chats and agents.',
    contributes: ['cli.command'],
    permissions: [
      { kind: 'files', reason: 'Writes the file that “chats export --output” names, and reads the one that “chats import” names.' },
    ],
  },
  setup(context) {
    for (const command of commands) context.contribute(cliCommands, command)
  },
})
export default plugin
