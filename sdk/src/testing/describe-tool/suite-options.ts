import type { Tool, ToolContext, ToolResult } from '../../contracts/tool/tool.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import type { SuiteRunner } from '../suite-runner.js'
import type { NotApplicable, UncheckedRules } from '../unchecked-rules.js'

/** One call that the suite makes. Examples must be safe to run again and again. */
export interface ToolExample {
  /** Part of the test's title. */
  readonly title: string
  /** Fits the tool's parameters. */
  readonly input: JsonObject
  /** The tool returns an error for the model. */
  readonly isError?: boolean
  /** Further checks of the result. */
  check?(result: ToolResult): void
  /** What `state` returns after this call alone: all that it should change, and nothing else. */
  readonly after?: JsonValue
  /**
   * What `state` returns after this call and another one with the same input and an id of its own: the
   * entry twice, or the same as `after` if the call sets something.
   */
  readonly again?: JsonValue
}

/** A tool whose effect the suite can see. */
export interface ToolWithState {
  /** The tool, with data of its own. */
  readonly tool: Tool
  /**
   * What calls of this tool have changed so far: the entries of a list, the number of mails. Plain
   * data, without what differs from one run to the next, such as ids and times. `not applicable`: calls change
   * nothing that a test could look at.
   */
  readonly state: NotApplicable | (() => JsonValue | Promise<JsonValue>)
  /**
   * The same tool after a restart of the service: with the same stored data, and no memory of earlier
   * calls. `not applicable`: it keeps nothing in memory.
   */
  readonly restarted?: NotApplicable | (() => Tool)
  /**
   * The paths of all files in the workspace of the calling agent, for a tool whose results name files:
   * with what calls of this tool have made there so far.
   */
  readonly files?: () => readonly string[] | Promise<readonly string[]>
}

/** The options of {@link describeTool}. */
export interface ToolSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /**
   * Makes the tool; with its state, if the suite shall see what calls change. Called for each test, and
   * several times in some.
   */
  create(): Tool | ToolWithState
  /** At least one. */
  readonly examples: readonly ToolExample[]
  /** Changes to the context of the examples. */
  readonly context?: Partial<ToolContext>
  /**
   * Texts that no model and no person may read, plain or encoded: keys and tokens that the tool works
   * with. `[]`: there are none.
   */
  readonly secrets?: readonly string[]
  /**
   * Changes to the context that make it that of another user, who has none of what the examples reach:
   * a tool that reads has to answer them something else, and what `state` shows must not change by
   * their call. `not applicable`: the tool does not reach what belongs to a user.
   */
  readonly stranger?: NotApplicable | Partial<ToolContext>
  /**
   * Texts of the user of the examples, such as the words of a note: no answer to the stranger has one. With
   * them the answers may otherwise be the same, as where nothing was found for either. Default: the answers of
   * a tool that reads have to differ.
   */
  readonly withheld?: readonly string[]
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of an aborted call, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}

/** What the parts of the suite are described with. */
export interface ToolSuite {
  readonly options: Omit<ToolSuiteOptions, 'create'>
  readonly runner: SuiteRunner
  readonly unchecked: UncheckedRules
  /** Makes a tool for one test. */
  create(): Tool
  /** Whether the author said anything about the state of this tool, and be it `not applicable`. */
  isAboutState(tool: Tool): boolean
  /** Whether the suite can see what calls of this tool change. */
  hasState(tool: Tool): boolean
  /** What they have changed so far, as a copy; undefined if the suite cannot see it. */
  stateOf(tool: Tool): Promise<JsonValue | undefined>
  /** The same tool after a restart; undefined if the suite cannot make it. */
  restartedOf(tool: Tool): Tool | undefined
  /** The files of the workspace; undefined if the suite cannot see them. */
  filesOf(tool: Tool): Promise<readonly string[] | undefined>
}
