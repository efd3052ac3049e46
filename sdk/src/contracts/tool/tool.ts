import type { TObject } from 'typebox'
import type { Contribution } from '../../core/contribution-point.js'
import type { JsonObject } from '../../core/json.js'
import type { ToolDisplay } from './display.js'

/**
 * The effect of repeating a call, which determines what happens to a call that was interrupted by a
 * crash. `read` changes nothing and runs again. `idempotent` runs again with the same call id as
 * its key. `checkable` is asked through `probe`. `unsafe` is never repeated: its outcome is
 * reported as unknown.
 */
export type EffectClass = 'read' | 'idempotent' | 'checkable' | 'unsafe'

/**
 * What an agent may still use in a chat in which others than its owner write or read. Whatever it is,
 * a run there has no memory, and no prompt section but that of skills.
 */
export interface GuestAccess {
  /** The names of the tools, of those that the agent has. A group of tools is not named by `*`. */
  readonly tools: readonly string[]
}

/** An agent for which another one works: it asked it by `delegate`, or by a task that it created. */
export interface ToolCaller {
  /** Never changes. */
  readonly id: string
  /** Its handle when the run was opened. Absent: it was deleted. */
  readonly handle?: string
}

/** The context of a tool call. */
export interface ToolContext {
  /** The same for every attempt of one call: the idempotency key. */
  readonly callId: string
  /** The run that the call is a step of. */
  readonly runId: string
  /** The chat that the run answers in. */
  readonly chatId: string
  /** The agent that calls. */
  readonly agentId: string
  /**
   * Its handle for people, policies and other agents. The person may change it; this is the value
   * at the start of the run.
   */
  readonly agentHandle: string
  /** The user whose agent it is. A tool never reaches beyond what this user may see. */
  readonly userId: string
  /** The name of that user's folder. */
  readonly userHandle: string
  /** The name of the agent's folder below the user's `workspaces`. Never changes. */
  readonly workspace: string
  /** The depth of the run below the first one: 0 if a person or a program of theirs started it. */
  readonly depth: number
  /**
   * Present in a chat in which others than the owner write or read: what the call leads to later,
   * such as another run, must have no more than this. Absent: the owner's own.
   */
  readonly guests?: GuestAccess
  /**
   * The other agents for which the agent works, the first one first: each asked the next one. A tool that
   * asks what an agent may reach asks it of each of them, and hands them on to what it leads to
   * later. Absent: none, the agent works for its user alone.
   */
  readonly callers?: readonly ToolCaller[]
  /** The person's answer to {@link Tool.asks}. */
  readonly answer?: string
  /** The time zone for times in texts, an IANA name. */
  readonly timezone: string
  /** Aborted when the run is cancelled or the call's time is over. */
  readonly signal: AbortSignal
  /** Reports progress to a person who is watching. Never fails the call. */
  progress(update: ToolProgress): Promise<void>
  /**
   * Shows a piece of text output of what the call runs, as it comes, to a person who is watching.
   * Masked like results; of a flood only parts are shown. It is no part of the result. Never fails
   * the call.
   */
  output(text: string): Promise<void>
}

/** The progress of a call. */
export interface ToolProgress {
  /** One line for a person, without secrets. */
  readonly message: string
  /** 0 to 1. */
  readonly fraction?: number
}

/** One piece of a result. */
export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly media_type: string; readonly data: string }
  | { readonly type: 'json'; readonly json: JsonObject }

/** A file that a call made or changed. */
export interface ToolFile {
  /**
   * Below the workspace of the calling agent, with `/` between names: `charts/sales.png`. A plain
   * path: not absolute, without empty or dot segments, backslashes and control characters.
   */
  readonly path: string
}

/**
 * The result of a call. A tool returns `isError` for a failure that the model can react to, and
 * throws for a fault of its own.
 */
export interface ToolResult {
  /** What the model reads, in order. May be empty. */
  readonly content: readonly ToolContent[]
  /**
   * Files that the call made or changed in the agent's workspace and that a person may want to open,
   * the most interesting first; each once, at most 50. For people, who see a card for each, never for
   * the model: name in `content` what it has to know. The host leaves out what is not a regular file
   * there when the call ends. Default: none.
   */
  readonly files?: readonly ToolFile[]
  /** The call failed, and `content` says why, for the model. Default false. */
  readonly isError?: boolean
}

/** When a person is asked before a call runs. */
export type ApprovalMode = 'never' | 'first_time' | 'always'

/** A question that only the person can answer. */
export interface ToolQuestion {
  /** What the person reads. */
  readonly question: string
  /** Options; a free answer is always possible. Default: none. */
  readonly options?: readonly string[]
}

/**
 * A kind of call that a person can allow from now on when they approve one. A later call runs
 * without asking exactly if the tool names the same key for it: nothing is guessed from the key.
 */
export interface ToolScope {
  /** 1 to 500 characters, unique among the scopes of the tool: `["git","status"]`. */
  readonly key: string
  /**
   * What is allowed, in words that name its limits, for a person: “Read pages of example.org”. One
   * line, at most 200 characters.
   */
  readonly label: string
}

/** An agent that {@link Tool.offered} is asked about. Plain data. */
export interface ToolAgent {
  /** Its id. */
  readonly id: string
  /** Its handle: `assistant`. */
  readonly handle: string
  /** The user whose agent it is. */
  readonly userId: string
  /** Whether it may use what is remembered beyond a chat. */
  readonly memory: { readonly enabled: boolean }
  /**
   * What the run reports to that it is asked for; null: to nothing. Absent: it is asked for no run,
   * but for a list of what the agent may have at all.
   */
  readonly reportsTo?: { readonly kind: string; readonly id: string } | null
}

/** Something that an agent can call. Takes and returns plain data. */
export interface Tool extends Contribution {
  /** The generation of this contract that the tool is written for. */
  readonly specVersion: 1
  /**
   * `^[a-z][a-z0-9_]{0,63}$`: what the model calls it by. Unique in a deployment: the host puts the
   * plugin's id before that of a third party (`roll_dice` of `tool-dice` is called
   * `tool_dice__roll_dice`), and the whole may have 64 characters.
   */
  readonly name: string
  /** For people: “Read the clock”. */
  readonly title: string
  /** For the model: what it does, when to use it, what it returns. */
  readonly description: string
  /**
   * Of the portable subset and closed. A call whose input does not fit never reaches `execute`; the
   * model reads what is wrong.
   */
  readonly parameters: TObject
  /** Default `unsafe`. */
  readonly effect?: EffectClass
  /** Whether calls of one turn may run beside others. Default: true for `read`, else false. */
  readonly parallel?: boolean
  /** The longest that one call may take, in milliseconds. Default 120,000. */
  readonly timeoutMs?: number
  /**
   * When a person is asked first, if neither the agent nor its owner says. Default: `first_time`
   * for `unsafe`, else `never`.
   */
  readonly approval?: ApprovalMode
  /**
   * Whether its calls read files of the agent's workspace. What people attach to their messages is
   * put there for agents that have such a tool; others are given only what a model can be shown.
   * Default false.
   */
  readonly readsWorkspace?: boolean
  /**
   * What people read of its calls, in their language. Default: the title, in every language, with
   * the argument that says most.
   */
  readonly display?: ToolDisplay
  /** `probe` is true exactly if the tool has {@link Tool.probe}. */
  readonly supports: { readonly probe: boolean }
  /**
   * Whether this agent may have the tool at all, beside what its list of tools and the policies
   * say: if false, its model is not offered the tool, and a call is refused as unknown. Called for
   * each model call and each call of the tool. Pure and fast; if it throws or returns anything but
   * true or false, the tool is withheld. Default: every agent may.
   */
  offered?(agent: ToolAgent): boolean
  /**
   * One sentence about this call, for a person who watches or approves it. Default: the title, which
   * also replaces it if it throws or returns no line. The host then reports that, so that those who
   * call it catch nothing.
   */
  purpose?(input: JsonObject): string
  /**
   * The kinds of calls that this call belongs to and that a person can allow from now on, the
   * narrowest first, at most 10. Name a kind only if every call of it is as harmless as its label
   * sounds: a call that runs other programs, or reaches beyond the folder or host of a label, has
   * none. “Exactly this call” is offered beside them, unless {@link Tool.exactly} says otherwise. A
   * tool without this function can be allowed as a whole; with it, never. Pure and fast; if it
   * throws, or what it returns is not well-formed, it names none.
   */
  scopes?(input: JsonObject): readonly ToolScope[]
  /**
   * What a person allows who allows exactly this call from now on, in words that name what may
   * differ then; one line, at most 200 characters. False: such a call cannot be allowed for later,
   * since something else than its arguments says what it does: the page that is open, or a file
   * that the agent may change. Default: “Exactly this call”. Pure and fast; if it throws, or
   * returns anything else, it counts as false.
   */
  exactly?(input: JsonObject): string | false
  /**
   * For a tool that needs an answer of the person: the question to ask before this call runs. The
   * call waits, over restarts too, and `execute` then finds the answer in its context. Undefined:
   * nothing to ask. Pure and fast.
   */
  asks?(input: JsonObject): ToolQuestion | undefined
  /**
   * Runs one call. The input was validated against `parameters`. May run at the same time as other
   * calls.
   * @throws anything: the run goes on and the model reads that the tool failed, without internal
   * text.
   */
  execute(input: JsonObject, context: ToolContext): Promise<ToolResult>
  /** For `checkable` tools: whether a call with this id has had its effect. */
  probe?(callId: string, options: { readonly signal: AbortSignal }): Promise<'done' | 'not_done' | 'unknown'>
}
