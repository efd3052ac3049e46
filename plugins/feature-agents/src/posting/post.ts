import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import type { RunManager } from '../runs/engine/run-manager.js'
import type { ModelTurn } from '../runs/turns/model-turn.js'
import type { Chat } from '../store/chats/chat.js'
import type { Message } from '../store/chats/message.js'
import type { Run } from '../store/runs/run.js'
import type { AttachedFile } from './attachments.js'

/** What makes a message known again when its request is repeated. */
export interface PostKey {
  /** As it is stored: see `client_key` of a message. */
  readonly clientKey: string
  /** How long it is known, in milliseconds. Default: as long as the message is there. */
  readonly lifeMs?: number
  /** Of everything that the request asks for. Default: a request is the same where its message is. */
  readonly hash?: string
  /** What is said of the same key with another request. */
  reused(): Error
}

/** What a run is asked for beside its message; what is absent is as the agent says. */
export type RunAsked = Partial<Pick<Run, 'model_group' | 'parent' | 'terms' | 'reports_to'>>

/** A message to store. */
export interface NewPost {
  readonly userId: string
  /** `create`: the chat is stored in the same transaction. */
  readonly chat: { readonly id: string } | { readonly create: Chat }
  /** The agent that the chat must be with. Default: whichever it is with. */
  readonly agentId?: string
  readonly content: readonly ContentPart[]
  /** Files that stand before `content`. They are read once it is known that the message is a new one. */
  readonly files?: { readonly paths: readonly string[]; read(): Promise<readonly AttachedFile[]> }
  /** A message of a person in the branch that is shown: the chat goes on from where that one stands, in a branch of its own. */
  readonly replaces?: string
  readonly asked?: RunAsked
  /** Where a run goes on: `join` gives it the message. Default `join`. */
  readonly ifBusy?: 'join' | 'refuse'
  readonly key?: PostKey
}

/** What became of a message. */
export interface Posted {
  readonly message: Message
  readonly run: Run
  /** It was there already. */
  readonly repeated: boolean
}

/** What posting is made with. */
export interface PostingDependencies {
  readonly database: Database
  readonly events: Pick<Events, 'record'>
  readonly clock: Pick<Clock, 'now'>
  readonly accounts: Pick<Accounts, 'get'>
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  readonly runs: Pick<RunManager, 'reserve' | 'hasRoom' | 'begin' | 'wake'>
  readonly modelTurn: Pick<ModelTurn, 'open'>
  /** This process among the drivers. */
  readonly driverId: string
}
