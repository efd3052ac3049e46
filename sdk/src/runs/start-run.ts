import type { FilePart, ImagePart, TextPart } from '../contracts/provider-adapter/index.js'
import type { GuestAccess } from '../contracts/tool/index.js'
import type { JsonObject } from '../core/json.js'
import type { Run, RunReport } from './run.js'

/** The run that another one belongs to. */
export interface RunParentReference {
  /** A run of the same user that has not ended. */
  readonly runId: string
  /**
   * The tool call that waits for the new run; such a run goes on in its parent's place. Default:
   * none waits.
   */
  readonly callId?: string
}

/**
 * Limits of one run. An absent one leaves the agent's; none raises the agent's or the service's.
 */
export interface RunLimits {
  /** Rounds of tool calls; 0: none. */
  readonly maxToolTurns?: number
  /** How long the run may go on at a stretch, in seconds. Waiting for a person does not count. */
  readonly maxSeconds?: number
  /** Tokens of one answer of the model. */
  readonly maxOutputTokens?: number
}

/** The form of the final answer. */
export interface RunResultSchema {
  /** For the model: letters, digits, `_` and `-`, 1 to 64. */
  readonly name: string
  /**
   * JSON Schema, at most 64 KiB as JSON. It may come from anyone: it is compiled, and answers are
   * checked, in a thread of its own, 5 seconds each at most. One that takes longer cannot be used;
   * the answer then counts as one that does not have the form.
   */
  readonly schema: JsonObject
}

/** What a run is asked to do. */
export interface StartRunRequest {
  /** The owner of the run. */
  readonly userId: string
  /**
   * Unique to the user's runs, 1 to 200 characters. The same request with the same key gives the
   * run that it started the first time, for as long as its chat is there, also after a crash.
   */
  readonly key: string
  /**
   * Default: the agent of `chat`, else the user's first enabled one. In a chat that exists it must
   * be the chat's.
   */
  readonly agent?: { readonly id: string } | { readonly handle: string }
  /**
   * The chat that it goes on in, or how the new one is. A hidden one is in no list. Without `title`
   * the message gives one. `guests`: others than the user write or read there. That never changes,
   * and holds for every run of the chat, however it starts, and for every run below one of those.
   * `callers`: the ids of the agents for which the work is done, the first one first, as of an agent
   * that created a task. Network and agents that are closed to one of them are closed to every run
   * of the chat. Those of the run above and its agent are added. Default: a new chat that the user
   * sees, of the user alone.
   */
  readonly chat?:
    | { readonly id: string }
    | {
        readonly title?: string
        readonly hidden?: boolean
        readonly spaceId?: string
        readonly guests?: GuestAccess
        readonly callers?: readonly string[]
      }
  /** The message to the agent. May be empty if there are attachments. */
  readonly message: string | readonly (TextPart | ImagePart | FilePart)[]
  /**
   * Files of the user that go with the message, by their paths (`files/…`, `workspaces/…`), at most
   * 20: what a model can be shown is in its context, and for an agent with tools for files each of
   * them lies in its workspace, as `attachments/<name>`. The user's permissions count. Of a file that
   * cannot be given to the agent, the message says so and why. Default: none.
   */
  readonly attachments?: readonly { readonly path: string }[]
  /**
   * What happens in a chat with an active run. `join`: the message goes to that run, which sees it
   * before its next step, and nothing else of this request counts; `run` is then that one. Default
   * `refuse`: `run_in_progress`.
   */
  readonly ifBusy?: 'refuse' | 'join'
  /** Default: the agent's. */
  readonly modelGroup?: string
  /**
   * Which of the agent's tools it may call; a call of another one is refused. Default: all of them.
   */
  readonly tools?: readonly string[]
  /** Default: the agent's. */
  readonly limits?: RunLimits
  /**
   * The final answer must be JSON that fits. Where it does not, the model gets the problems and is
   * asked twice more; then the run fails with `run_result_invalid`. Default: free text.
   */
  readonly result?: RunResultSchema
  /**
   * How many runs and tasks are above it, for work that goes on without them; at most 3. With
   * `parent` it is one more than that run has. Default 0.
   */
  readonly depth?: number
  /** Default: none. A run whose parent has ended is cancelled. */
  readonly parent?: RunParentReference
  /** Stored with the run, and in every state event of it as `reports_to`. Default: nothing. */
  readonly reportsTo?: RunReport
  /**
   * To whom the answer belongs, for the whole run. `report`: to what it reports to alone. Then only
   * messages for the same join the run; while it goes on any other is refused with
   * `run_in_progress`, and this message joins no other run. Default `chat`: all who see the chat.
   */
  readonly answerFor?: 'chat' | 'report'
}

/** The result of a start. */
export interface StartedRun {
  /** As it is now. */
  readonly run: Run
  /** The message that it answers. */
  readonly messageId: string
  /** An earlier request with this key has started it. */
  readonly repeated: boolean
}
