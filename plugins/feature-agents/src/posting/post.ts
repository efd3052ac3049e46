import type { ContentPart, TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import type { RunManager } from '../runs/engine/run-manager.js'
import type { RunAgent } from '../runs/session/restrict-agent.js'
import type { ModelTurn } from '../runs/turns/model-turn.js'
import type { Agent } from '../store/agents/agent.js'
import type { Chat } from '../store/chats/chat.js'
import type { Attachment, Message, MessageSender } from '../store/chats/message.js'
import type { Run } from '../store/runs/run.js'
import type { AttachedFile } from './attachments.js'
import type { ChatChoice } from './chat-choice.js'

/** Identifies a message when its request is repeated. */
export interface PostKey {
  /** As it is stored: see `client_key` of a message. */
  readonly clientKey: string
  /** How long the key is known, in milliseconds. Default: as long as the message exists. */
  readonly lifeMs?: number
  /** A hash of the whole request. Default: requests are the same if their messages are. */
  readonly hash?: string
  /** The error for the same key with another request. */
  reused(): Error
}

/** The options of a run beside its message; absent ones come from the agent. */
export type RunAsked = Partial<Pick<Run, 'model_group' | 'parent' | 'terms' | 'reports_to' | 'answer_for' | 'depth'>>

/** The files of a message. */
export interface NewFiles {
  readonly paths: readonly string[]
  /** Reads them for the agent that answers. `notes`: what the message says of those that it has not. */
  read(
    answering: Agent | RunAgent | undefined,
  ): Promise<{ readonly attached: readonly AttachedFile[]; readonly notes?: readonly TextPart[] }>
}

/** A message to store. */
export interface NewPost {
  readonly userId: string
  /** `create`: the chat is stored in the same transaction. */
  readonly chat: { readonly id: string } | { readonly create: Chat }
  /** The agent that the chat must be with. Default: any. */
  readonly agentId?: string
  readonly content: readonly ContentPart[]
  /** The agent that wrote it. Default: the user. */
  readonly sentBy?: MessageSender
  /** Files before `content`. They are read after it is known that the message is new. */
  readonly files?: NewFiles
  /**
   * A message of a person in the branch that is shown: the chat continues from its place, in a new
   * branch.
   */
  readonly replaces?: string
  /** Who answers from this message on. Default: as the chat has it. */
  readonly choice?: ChatChoice
  readonly asked?: RunAsked
  /** Another model group answers as well, in a branch of its own; in both answers the agent only reads. */
  readonly compareWith?: { readonly model: string }
  /** While a run is in progress: `join` passes it the message. Default `join`. */
  readonly ifBusy?: 'join' | 'refuse'
  readonly key?: PostKey
}

/** The result of posting a message. */
export interface Posted {
  readonly message: Message
  readonly run: Run
  /** The run that answers it as well. Absent: nothing is compared. */
  readonly beside?: Run
  /** An earlier request stored it. */
  readonly repeated: boolean
}

/** The dependencies of posting. */
export interface PostingDependencies {
  readonly database: Database
  readonly events: Pick<Events, 'record'>
  /** Where it is noted that one agent lets another one work. */
  readonly audit: Pick<Audit, 'record'>
  readonly clock: Pick<Clock, 'now'>
  readonly accounts: Pick<Accounts, 'get'>
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  readonly runs: Pick<RunManager, 'reserve' | 'hasRoom' | 'begin' | 'wake'>
  readonly modelTurn: Pick<ModelTurn, 'open'>
  /** Puts the files of a message into the workspace of another agent that answers it again. */
  readonly placeAgain?: (userId: string, message: Message, answering: Agent) => Promise<readonly Attachment[]>
  /** The tools of an agent that only read. Default: none. */
  readonly readingTools?: (agent: Agent) => Promise<readonly string[]>
  /** Identifies this process as a driver of runs. */
  readonly driverId: string
}
