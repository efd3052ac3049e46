import type { UserData, UserDataRecord } from '@agent-service/sdk/contracts/user-data'
import { type CollectionDefinition, type DocumentsPlace, documentsOf, type StoredObject } from '@agent-service/sdk/services/database'
import { deleteByIndex } from '../common/delete-by-index.js'
import { agentCollection, agentSeedingCollection } from '../store/agents/agent.js'
import { agentVersionCollection } from '../store/agents/agent-version.js'
import { formerWorkspaceCollection } from '../store/agents/former-workspace.js'
import { branchCollection } from '../store/chats/branch.js'
import { chatCollection } from '../store/chats/chat.js'
import { chatDeletionCollection } from '../store/chats/chat-deletion.js'
import { chatImportCollection } from '../store/chats/chat-import.js'
import { conversationCollection } from '../store/chats/conversation.js'
import { deletedChatCollection } from '../store/chats/deleted-chat.js'
import { importCollection } from '../store/chats/import-record.js'
import { importedForeignChatCollection } from '../store/chats/imported-chat.js'
import { messageCollection } from '../store/chats/message.js'
import { spaceCollection } from '../store/chats/space.js'
import { summaryCollection } from '../store/chats/summary.js'
import { temporaryChatCollection } from '../store/chats/temporary-chat.js'
import { titleTaskCollection } from '../store/chats/title-task.js'
import { approvalCollection } from '../store/runs/approval.js'
import { approvalGrantCollection } from '../store/runs/approval-grant.js'
import { resultPieceCollection } from '../store/runs/result-piece.js'
import { isFinished, runCollection } from '../store/runs/run.js'
import { runStepCollection } from '../store/runs/run-step.js'
import { chatTagCollection, userTagCollection } from '../store/tags/tag.js'
import { type HandOverDependencies, handOverAgents } from './hand-over.js'

/**
 * All collections of this plugin, in the order in which they are erased: an import without its
 * record shows no chat, no run begins without its chat, and no step or message is written without
 * its run.
 */
export const collections: readonly CollectionDefinition[] = [
  conversationCollection,
  chatImportCollection,
  importedForeignChatCollection,
  importCollection,
  chatDeletionCollection,
  deletedChatCollection,
  temporaryChatCollection,
  titleTaskCollection,
  chatTagCollection,
  userTagCollection,
  chatCollection,
  spaceCollection,
  runCollection,
  runStepCollection,
  approvalCollection,
  approvalGrantCollection,
  summaryCollection,
  resultPieceCollection,
  messageCollection,
  branchCollection,
  agentSeedingCollection,
  agentCollection,
  agentVersionCollection,
  formerWorkspaceCollection,
]

/** The operations that show what those collections hold. */
const shownBy: readonly string[] = [
  'listAgents',
  'getAgent',
  'getAgentPrompt',
  'listAgentVersions',
  'getAgentVersion',
  'diffAgentVersion',
  'listChats',
  'getChat',
  'listDeletedChats',
  'searchChats',
  'exportChat',
  'listChatTags',
  'listChatImports',
  'getChatImport',
  'listSpaces',
  'getSpace',
  'listMessages',
  'listBranches',
  'listSummaries',
  'getChatContext',
  'getRun',
  'listChatRuns',
  'listRunCalls',
  'listApprovals',
  'getApproval',
  'listGrants',
]

/** Export, erasure and size of one user's agents, chats, messages and runs. */
export function createAgentsUserData(dependencies: HandOverDependencies): UserData {
  const { database, runs } = dependencies
  return {
    specVersion: 1,
    id: 'agents',
    collections: collections.map((collection) => collection.name),
    shownBy,
    async *export(userId, { signal }) {
      for (const collection of collections) {
        for await (const document of documentsOf(database, collection, at(userId, signal))) yield toRecord(collection.name, document)
      }
    },
    async erase(userId, { signal }) {
      for await (const run of documentsOf(database, runCollection, at(userId, signal))) {
        if (!isFinished(run)) await runs.cancel(run.id, { signal })
      }
      for (const collection of collections) {
        signal.throwIfAborted()
        await deleteByIndex(database, collection, 'by_user', userId)
      }
    },
    handOver: (userId, options) => handOverAgents(dependencies, userId, options),
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      for (const collection of collections) {
        for await (const document of documentsOf(database, collection, at(userId, signal))) {
          records += 1
          bytes += Buffer.byteLength(JSON.stringify(document))
        }
      }
      return { records, bytes }
    },
  }
}

function toRecord(collection: string, document: StoredObject): UserDataRecord {
  const folder = collection.replace('agents.', '')
  return { path: `${folder}/${document.id.replaceAll('/', '-')}.json`, json: JSON.parse(JSON.stringify(document)) }
}

const at = (userId: string, signal: AbortSignal): DocumentsPlace => ({ index: 'by_user', equals: [userId], signal })
