import type { ToolContext, ToolResult } from '../../contracts/tool/tool.js'
import type { SourceTool, ToolSourceOwner } from '../../contracts/tool-source/tool-source.js'
import { boundMembers } from '../bound-members.js'
import { createSecretFinder, type SecretFinder } from '../secret-finder.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { givenInput, type UncheckedRules } from '../unchecked-rules.js'
import type { ToolSourceExample, ToolSourceSuiteOptions, ToolSourceUnderTest } from './suite-options.js'

/** What the parts of the suite are described with. */
export interface ToolSourceSuite {
  readonly runner: SuiteRunner
  readonly unchecked: UncheckedRules
  readonly examples: readonly ToolSourceExample[]
  readonly owner: ToolSourceOwner
  readonly stranger: ToolSourceOwner | undefined
  readonly secrets: SecretFinder
  readonly limitMs: number
  /** Runs a test with a source of its own, and closes it afterwards. */
  using<Result>(test: (under: ToolSourceUnderTest) => Promise<Result>): Promise<Result>
  /** The owner's tools. */
  listOf(under: ToolSourceUnderTest, signal?: AbortSignal): Promise<readonly SourceTool[]>
  /** Calls the tool of an example with a copy of its input. */
  call(under: ToolSourceUnderTest, example: Pick<ToolSourceExample, 'tool' | 'input'>, changes?: Partial<ToolContext>): Promise<ToolResult>
  /** The context of the calls. */
  contextOf(changes?: Partial<ToolContext>): ToolContext
}

const usualOwner: ToolSourceOwner = { userId: 'user-1', agentId: 'agent-1', agentHandle: 'assistant' }

/** A signal that is never aborted. */
export const signalOfNone = (): AbortSignal => new AbortController().signal

/** What the tests of these options need. */
export function openSuite(options: ToolSourceSuiteOptions, unchecked: UncheckedRules): ToolSourceSuite {
  const { runner = globalSuiteRunner(), examples, owner = usualOwner, secrets = [], context, limitMs = 2_000 } = options
  const contextOf: ToolSourceSuite['contextOf'] = (changes) => ({
    callId: 'call-1',
    runId: 'run-1',
    chatId: 'chat-1',
    ...owner,
    userHandle: 'user',
    workspace: 'agent',
    depth: 0,
    timezone: 'Europe/Berlin',
    progress: () => Promise.resolve(),
    output: () => Promise.resolve(),
    signal: signalOfNone(),
    ...context,
    ...changes,
  })
  return {
    runner,
    unchecked,
    examples,
    owner,
    stranger: givenInput(options.stranger),
    secrets: createSecretFinder(secrets),
    limitMs,
    async using(test) {
      const under = boundMembers(await options.create())
      try {
        return await test(under)
      } finally {
        await under.close?.()
      }
    },
    listOf: ({ source }, signal = signalOfNone()) => source.tools({ ...owner }, { signal }),
    call: ({ source }, { tool, input }, changes) => source.execute(tool, structuredClone(input), contextOf(changes)),
    contextOf,
  }
}
