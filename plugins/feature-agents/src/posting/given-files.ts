import type { TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import { fileNote } from '../context/file-lines.js'
import { maxMessageBytes } from '../runs/turns/answer-limits.js'
import type { Agent } from '../store/agents/agent.js'
import type { Attachment, Message } from '../store/chats/message.js'
import type { AttachmentOwner, Attachments, FileOutcome, RefusedFile } from './attachments.js'
import type { OfferedWorkspaces } from './offered-workspace.js'
import type { NewFiles } from './post.js'

/** The files of one message. */
export interface AskedFiles {
  readonly owner: AttachmentOwner
  readonly paths: readonly string[]
  /** The bytes of the rest of the message, as JSON. Default: none. */
  readonly used?: number
  readonly signal?: AbortSignal | undefined
}

/** Gives a person's files to the agent that answers: into its context, and into its workspace if it can read that. */
export interface GivenFiles {
  /** All of them, or the message is refused. */
  all(asked: AskedFiles): NewFiles
  /** What can be given; the message says what of the rest, and why. */
  most(asked: AskedFiles): NewFiles
  /** What would become of each with this agent. */
  check(asked: AskedFiles, agent: Agent): Promise<readonly FileOutcome[]>
  /** Whether an agent is given any file. */
  hasWorkspace(agent: Agent, signal?: AbortSignal): Promise<boolean>
  /** The files of an earlier message, after each lies in the workspace of this agent, if it reads one. What has not changed is the same object. */
  placeAgain(userId: string, message: Message, agent: Agent): Promise<readonly Attachment[]>
}

export function createGivenFiles(dependencies: {
  readonly attachments: Attachments
  readonly workspaces: OfferedWorkspaces
  readonly accounts: Pick<Accounts, 'get'>
}): GivenFiles {
  const { attachments, workspaces, accounts } = dependencies
  const placeOf = async ({ used = 0, signal }: AskedFiles, agent: Agent | undefined) => ({
    ...{ used, limit: maxMessageBytes, signal },
    workspace: agent && (await workspaces.of(agent, signal)),
  })
  return {
    all: (asked) => ({
      paths: asked.paths,
      read: async (agent) => ({ attached: await attachments.read(asked.owner, asked.paths, await placeOf(asked, agent)) }),
    }),
    most: (asked) => ({
      paths: asked.paths,
      async read(agent) {
        const { attached, refused } = await attachments.readMost(asked.owner, asked.paths, await placeOf(asked, agent))
        return { attached, notes: notesOf(refused) }
      },
    }),
    check: async (asked, agent) => attachments.check(asked.owner, asked.paths, await placeOf(asked, agent)),
    hasWorkspace: async (agent, signal) => (await workspaces.of(agent, signal)) !== undefined,
    async placeAgain(userId, { attachments: known = [] }, agent) {
      const workspace = await workspaces.of(agent)
      const account = workspace === undefined ? undefined : await accounts.get(userId)
      if (workspace === undefined || !account) return known
      const placed: Attachment[] = []
      for (const attachment of known) placed.push(await attachments.placeAgain({ userId, handle: account.handle }, attachment, workspace))
      return placed
    },
  }
}

const notesOf = (refused: readonly RefusedFile[]): readonly TextPart[] =>
  refused.map(({ path, reason }) => ({ type: 'text', text: fileNote(path.split('/').at(-1) ?? path, reason) }))
