import type { Contribution } from '../../core/contribution-point.js'
import type { JsonObject } from '../../core/json.js'
import type { ApprovalMode, EffectClass, ToolContext, ToolResult } from '../tool/tool.js'

/** Who the tools are for. */
export interface ToolSourceOwner {
  /** The user. Nothing of another user is ever offered. */
  readonly userId: string
  /** One of that user's agents. */
  readonly agentId: string
  /** Its handle. */
  readonly agentHandle: string
}

/** A tool of a source, as plain data. */
export interface SourceTool {
  /**
   * The source's own name of it, 1 to 256 characters, unique in its list. Models see it as {@link
   * offeredToolName} makes it.
   */
  readonly name: string
  /** For people, one line. Default: the name in words, `write_file` as `Write file`. */
  readonly title?: string
  /** For the model: what it does, when to use it, what it returns. Cut after 4,000 characters. */
  readonly description: string
  /**
   * A JSON Schema of an object, of any draft and with any keywords; at most 32 KiB as JSON and 24
   * levels deep. A tool whose schema is something else is left out. The service checks that what is
   * required is there; the rest is for {@link ToolSource.execute} to check.
   */
  readonly parameters: JsonObject
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
}

/** The owner of a changed list. */
export interface ToolSourceChange {
  /** Of one user; absent: of all. */
  readonly userId?: string
  /** Of one agent; absent: of all agents of the user. */
  readonly agentId?: string
}

/**
 * The most tools of all sources together that an agent is offered. What is above is left out, and
 * the agent's `warnings` say so.
 */
export const maxSourceTools = 100

/**
 * Tools that are not known when the service starts, or not the same for all: those of an MCP
 * server, say. An agent has them by naming them in its `tools`, one by one (`<source>__<tool>`) or
 * all of a source (`<source>__*`); only sources that an agent names are asked.
 */
export interface ToolSource extends Contribution {
  /** The generation of this contract that the source is written for. */
  readonly specVersion: 1
  /**
   * `^[a-z][a-z0-9]*(-[a-z0-9]+)*$`, 24 characters at most: what the names of its tools begin with,
   * `-` as `_`. Unique in a deployment.
   */
  readonly id: string
  /** For people: “MCP servers”. One line. */
  readonly title: string
  /** `probe` is true exactly if the source has {@link ToolSource.probe}. */
  readonly supports: { readonly probe: boolean }
  /**
   * The tools of one agent as of now, in any order. At most 1,000 are looked at. The answer is
   * kept: until {@link ToolSource.changes} says otherwise, and for half a minute at most if there
   * is no `changes`. It has 10 seconds.
   * @throws anything: the list that is known stays, without one there are no tools; the log has a
   * warning.
   */
  tools(owner: ToolSourceOwner, options: { readonly signal: AbortSignal }): Promise<readonly SourceTool[]>
  /**
   * Runs one call of a tool, by the source's own name. What a `Tool` promises of `execute` holds
   * here too. A tool that is gone by then is an answer with `isError`.
   * @throws anything: the run goes on and the model reads that the tool failed, without internal
   * text.
   */
  execute(name: string, input: JsonObject, context: ToolContext): Promise<ToolResult>
  /** For `checkable` tools: whether a call with this id has had its effect. */
  probe?(
    name: string,
    callId: string,
    options: { readonly owner: ToolSourceOwner; readonly signal: AbortSignal },
  ): Promise<'done' | 'not_done' | 'unknown'>
  /**
   * Says whose list has changed, for as long as the signal is not aborted; it is opened once, and
   * again 5 seconds after it has ended or thrown.
   */
  changes?(options: { readonly signal: AbortSignal }): AsyncIterable<ToolSourceChange>
}
