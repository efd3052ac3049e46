import type { ToolContext, ToolResult } from '../../contracts/tool/tool.js'
import type { ToolSource, ToolSourceOwner } from '../../contracts/tool-source/tool-source.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import type { SuiteRunner } from '../suite-runner.js'
import type { NotApplicable } from '../unchecked-rules.js'

/** One call that the suite makes. Examples must be safe to run again and again. */
export interface ToolSourceExample {
  /** Part of the test's title. */
  readonly title: string
  /** The source's own name of the tool, which is in the list of the suite's owner. */
  readonly tool: string
  /** The tool's input. */
  readonly input: JsonObject
  /** The tool returns an error for the model. */
  readonly isError?: boolean
  /** Further checks of the result. */
  check?(result: ToolResult): void
}

/** A source that the suite may change. */
export interface ToolSourceUnderTest {
  /** The source, with data of its own where `state` is given. */
  readonly source: ToolSource
  /**
   * Adds a tool to the list of the suite's owner, or takes one away. Needed for a source that has
   * `changes`.
   */
  change?(): Promise<void>
  /**
   * What calls have changed so far: the entries of a list, the number of mails. Plain data, without what
   * differs from one run to the next, such as times. Default: what calls change is not checked. Not
   * applicable: no call changes anything.
   */
  readonly state?: (() => JsonValue | Promise<JsonValue>) | NotApplicable
  /**
   * How much the source holds for listeners to its changes and for calls: listeners, connections, timers.
   * It has to be as before when they have ended; leave out what is opened once and used by all, such as a
   * connection that the first call opens. Default: not checked. Not applicable: there is nothing
   * that could be left behind.
   */
  readonly held?: (() => number) | NotApplicable
  /**
   * Closes what {@link ToolSourceUnderTest.change} or {@link ToolSourceSuiteOptions.create} opened.
   */
  close?(): Promise<void>
}

/** The options of {@link describeToolSource}. */
export interface ToolSourceSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the source, with tools for `owner`. Called for each test, and several times in some. */
  create(): ToolSourceUnderTest | Promise<ToolSourceUnderTest>
  /** At least one. */
  readonly examples: readonly ToolSourceExample[]
  /** The user with tools. Default: `user-1` with the agent `agent-1`. */
  readonly owner?: ToolSourceOwner
  /**
   * A user without the owner's tools. Default: not tested. Not applicable: all users have the same tools,
   * and nothing that they do belongs to one of them.
   */
  readonly stranger?: ToolSourceOwner | NotApplicable
  /**
   * Texts that no list, no result and no error may have: keys and passwords of what the source is connected
   * to. Default: not checked. `[]` if there are none.
   */
  readonly secrets?: readonly string[]
  /** Changes to the context of the examples. */
  readonly context?: Partial<ToolContext>
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /**
   * The longest that an aborted call may take to end, and that a change may take to be reported, in
   * milliseconds. Default 2,000.
   */
  readonly limitMs?: number
}
