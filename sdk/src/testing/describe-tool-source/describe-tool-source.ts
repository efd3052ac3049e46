import { strict as assert } from 'node:assert'
import type { ToolContext, ToolResult } from '../../contracts/tool/tool.js'
import { checkToolSource } from '../../contracts/tool-source/check-tool-source.js'
import { offeredToolName } from '../../contracts/tool-source/offered-tool-name.js'
import type { SourceTool, ToolSource, ToolSourceChange, ToolSourceOwner } from '../../contracts/tool-source/tool-source.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules, type UncheckedRules } from '../unchecked-rules.js'
import { assertPlainData, endsWithin, isOneLine, isWithin } from '../within-limit.js'

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
  /** The source. */
  readonly source: ToolSource
  /**
   * Adds a tool to the list of the suite's owner, or takes one away. Needed for a source that has
   * `changes`.
   */
  change?(): Promise<void>
  /**
   * What calls have changed so far: the entries of a list, the number of mails. Plain data, without what
   * differs from one run to the next, such as times. Default: what calls change is not checked.
   */
  state?(): JsonValue | Promise<JsonValue>
  /**
   * Closes what {@link ToolSourceUnderTest.change} or {@link ToolSourceSuiteOptions.create} opened.
   */
  close?(): Promise<void>
}

/** The options of {@link describeToolSource}. */
export interface ToolSourceSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the source, with tools for `owner`. Called for each test. */
  create(): ToolSourceUnderTest | Promise<ToolSourceUnderTest>
  /** At least one. */
  readonly examples: readonly ToolSourceExample[]
  /** The user with tools. Default: `user-1` with the agent `agent-1`. */
  readonly owner?: ToolSourceOwner
  /** A user without the owner's tools. Default: not tested. */
  readonly stranger?: ToolSourceOwner
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

const usualOwner: ToolSourceOwner = { userId: 'user-1', agentId: 'agent-1', agentHandle: 'assistant' }
const effects: ReadonlySet<unknown> = new Set([undefined, 'read', 'idempotent', 'checkable', 'unsafe'])
const approvals: ReadonlySet<unknown> = new Set([undefined, 'never', 'first_time', 'always'])
const absentTool = 'a tool that never was'
const signalOfNone = (): AbortSignal => new AbortController().signal
/** The most bytes of JSON that a schema may have, and how deep it may be. */
const maxSchemaBytes = 32 * 1024
const maxSchemaDepth = 24

/**
 * Tests every rule of the `tool.source` contract.
 *
 * @example
 * describeToolSource({
 *   name: 'greetings',
 *   create: () => ({ source: createSource() }),
 *   examples: [{ title: 'in French', tool: 'greet_in_french', input: { name: 'Ada' } }],
 * })
 */
export function describeToolSource(options: ToolSourceSuiteOptions): void {
  const runner = options.runner ?? globalSuiteRunner()
  runner.describe(`tool source ${options.name}`, () => {
    const unchecked = collectUncheckedRules(runner, `tool source ${options.name}`)
    if (options.stranger === undefined) unchecked.without('stranger', 'another user neither sees nor calls the tools of the owner')
    describeDeclaration(options, runner)
    describeList(options, runner)
    describeChanges(options, runner)
    for (const example of options.examples) {
      describeExample(options, example, runner)
      describeEffect(options, example, { runner, unchecked })
    }
    describeOddCalls(options, runner)
  })
}

/** Makes a source for one test and closes it afterwards. */
async function using(options: ToolSourceSuiteOptions, test: (under: ToolSourceUnderTest) => Promise<void>): Promise<void> {
  const under = await options.create()
  try {
    await test(under)
  } finally {
    await under.close?.()
  }
}

const listOf = ({ owner = usualOwner }: ToolSourceSuiteOptions, { source }: ToolSourceUnderTest): Promise<readonly SourceTool[]> =>
  source.tools({ ...owner }, { signal: signalOfNone() })

function describeDeclaration(options: ToolSourceSuiteOptions, runner: SuiteRunner): void {
  runner.it(soundTitle, () => using(options, async ({ source }) => assertSound(checkToolSource(source))))
  runner.it('has probe with a checkable tool', () =>
    using(options, async (under) => {
      const checkable = (await listOf(options, under)).filter(({ effect }) => effect === 'checkable')
      assert.ok(checkable.length === 0 || under.source.supports.probe, 'a source with a checkable tool must have probe')
    }),
  )
  runner.it('has examples of its tools', () =>
    using(options, async (under) => {
      const names = new Set((await listOf(options, under)).map(({ name }) => name))
      assert.ok(options.examples.length > 0, 'examples is empty')
      for (const { tool } of options.examples) assert.ok(names.has(tool), `“${tool}” is not in the list`)
    }),
  )
}

function describeList(options: ToolSourceSuiteOptions, runner: SuiteRunner): void {
  const each = (title: string, test: (tool: SourceTool) => void): void =>
    runner.it(title, () =>
      using(options, async (under) => {
        for (const tool of await listOf(options, under)) test(tool)
      }),
    )
  runner.it('lists plain data, unique names, at most 1,000', () =>
    using(options, async (under) => {
      const list = await listOf(options, under)
      assertPlainData(list, 'the list')
      assert.ok(list.length <= 1_000, `${list.length} tools`)
      assert.equal(new Set(list.map(({ name }) => name)).size, list.length, 'a name appears twice')
      const offered = list.map(({ name }) => offeredToolName(under.source.id, name))
      assert.equal(new Set(offered).size, offered.length, 'two tools would have the same name for models')
    }),
  )
  each('has a name and a description for each tool', ({ name, title, description }) => {
    assert.ok(typeof name === 'string' && name.length >= 1 && name.length <= 256, 'a name must have 1 to 256 characters')
    assert.ok(title === undefined || isOneLine(title), `the title of “${name}” is empty or has several lines`)
    assert.ok(description.trim().length >= 10, `the description of “${name}” is too short to help a model`)
  })
  each('has an object schema for each tool, within the limits', ({ name, parameters }) => {
    assert.equal(parameters['type'], 'object', `the schema of “${name}” is not of an object`)
    assert.ok(Buffer.byteLength(JSON.stringify(parameters)) <= maxSchemaBytes, `the schema of “${name}” is too large`)
    assert.ok(depthOf(parameters) <= maxSchemaDepth, `the schema of “${name}” is too deep`)
  })
  each('states a known effect and approval and a sensible time limit', ({ name, effect, approval, timeoutMs }) => {
    assert.ok(effects.has(effect), `“${String(effect)}” of “${name}” is not an effect class`)
    assert.ok(approvals.has(approval), `“${String(approval)}” of “${name}” is not an approval`)
    assert.ok(timeoutMs === undefined || isWithin(timeoutMs, 1, 86_400_000), `the time limit of “${name}” is ${timeoutMs}`)
  })
  runner.it('lists nothing of the owner for a stranger', () =>
    using(options, async (under) => {
      if (options.stranger === undefined) return
      const own = new Set((await listOf(options, under)).map(({ name }) => name))
      const seen = await under.source.tools({ ...options.stranger }, { signal: signalOfNone() })
      assert.deepEqual(
        seen.filter(({ name }) => own.has(name)).map(({ name }) => name),
        [],
      )
    }),
  )
  runner.it('answers a stranger who calls a tool of the owner with an error', () =>
    using(options, async (under) => {
      const { stranger } = options
      if (stranger === undefined) return
      for (const { tool, input } of options.examples) {
        const context = { ...contextOf(options), ...stranger, callId: 'call-of-a-stranger' }
        const result = await under.source.execute(tool, structuredClone(input), context)
        assert.equal(result.isError, true, `“${tool}” of the owner answered a stranger`)
      }
    }),
  )
  runner.it('does not change a list that it has returned, nor by what is done to it', () =>
    using(options, async (under) => {
      const first = await listOf(options, under)
      const kept = structuredClone(first)
      await under.change?.()
      assert.deepEqual(first, kept, 'a change of the list changed one that was returned before')
      const second = (await listOf(options, under)) as SourceTool[]
      const copy = structuredClone(second)
      // What is frozen cannot be changed, which is as good.
      if (!Object.isFrozen(second)) second.splice(0, second.length)
      assert.deepEqual(await listOf(options, under), copy, 'the list is shared with who asked for it')
    }),
  )
  runner.it('ends a list that is aborted', () =>
    using(options, async ({ source }) => {
      const controller = new AbortController()
      const work = source.tools({ ...(options.owner ?? usualOwner) }, { signal: controller.signal })
      controller.abort(new Error('stopped'))
      await endsWithin(work, options.limitMs ?? 2_000, 'the list was still being made')
    }),
  )
}

function describeChanges(options: ToolSourceSuiteOptions, runner: SuiteRunner): void {
  const limitMs = options.limitMs ?? 2_000
  const owner = options.owner ?? usualOwner
  runner.it('reports a changed list, if it has changes', () =>
    using(options, async (under) => {
      const { source, change } = under
      if (source.changes === undefined) return
      assert.ok(change !== undefined, 'the source has changes, but the suite cannot make one')
      const before = await listOf(options, under)
      const controller = new AbortController()
      const reported = nextFor(source.changes({ signal: controller.signal }), owner)
      await change()
      await endsWithin(reported, limitMs, 'no change was reported')
      assert.ok(await reported, 'the changes ended without one of this owner')
      assert.notDeepEqual(await listOf(options, under), before, 'the list is as before')
      controller.abort(new Error('stopped'))
    }),
  )
  runner.it('ends its changes when they are aborted', () =>
    using(options, async ({ source }) => {
      if (source.changes === undefined) return
      const controller = new AbortController()
      const work = nextFor(source.changes({ signal: controller.signal }), { userId: 'no one', agentId: 'none', agentHandle: 'none' })
      controller.abort(new Error('stopped'))
      await endsWithin(work, limitMs, 'the changes continued')
    }),
  )
}

/** True at the first change that is the owner's, false at the end. */
async function nextFor(changes: AsyncIterable<ToolSourceChange>, { userId, agentId }: ToolSourceOwner): Promise<boolean> {
  for await (const change of changes) {
    if ((change.userId ?? userId) === userId && (change.agentId ?? agentId) === agentId) return true
  }
  return false
}

function describeExample(options: ToolSourceSuiteOptions, example: ToolSourceExample, runner: SuiteRunner): void {
  const call = ({ source }: ToolSourceUnderTest, input: JsonObject, signal?: AbortSignal): Promise<ToolResult> =>
    source.execute(example.tool, input, contextOf(options, signal))
  runner.it(`answers: ${example.title}`, () =>
    using(options, async (under) => {
      const result = await call(under, structuredClone(example.input))
      assert.ok(result.content.length > 0, 'the result is empty')
      assert.equal(result.isError ?? false, example.isError ?? false)
      example.check?.(result)
    }),
  )
  runner.it(`answers with plain data, and does not change its input: ${example.title}`, () =>
    using(options, async (under) => {
      const input = structuredClone(example.input)
      assertPlainData(await call(under, input), 'the result')
      assert.deepEqual(input, example.input)
    }),
  )
  runner.it(`ends when it is aborted: ${example.title}`, () =>
    using(options, async (under) => {
      const controller = new AbortController()
      const work = call(under, structuredClone(example.input), controller.signal)
      controller.abort(new Error('stopped'))
      await endsWithin(work, options.limitMs ?? 2_000, 'the call continued')
    }),
  )
}

/** Rules for what a call changes, by the effect that its tool declares. */
function describeEffect(
  options: ToolSourceSuiteOptions,
  { title, tool, input }: ToolSourceExample,
  { runner, unchecked }: { readonly runner: SuiteRunner; readonly unchecked: UncheckedRules },
): void {
  runner.it(`changes nothing by reading, and once by an idempotent call that is repeated: ${title}`, () =>
    using(options, async (under) => {
      const { source, state } = under
      const effect = (await listOf(options, under)).find(({ name }) => name === tool)?.effect
      if (effect !== 'read' && effect !== 'idempotent') return
      if (state === undefined)
        return unchecked.without('state', 'a tool that reads changes nothing', 'a repeated idempotent call has its effect once')
      const call = (): Promise<ToolResult> =>
        source.execute(tool, structuredClone(input), { ...contextOf(options), callId: 'call-repeated' })
      const before = await state()
      await call()
      const once = await state()
      if (effect === 'read') assert.deepEqual(once, before, 'the effect is “read”, and the call changed something')
      await call()
      assert.deepEqual(await state(), once, 'the second call with the same call id changed something again')
    }),
  )
}

function describeOddCalls(options: ToolSourceSuiteOptions, runner: SuiteRunner): void {
  runner.it('returns an error for an unknown tool', () =>
    using(options, async ({ source }) => {
      const result = await source.execute(absentTool, {}, contextOf(options))
      assert.equal(result.isError, true, 'the result is not an error')
      assert.ok(result.content.length > 0, 'the result is empty')
    }),
  )
  runner.it('can probe an unknown call, if it supports probe', () =>
    using(options, async (under) => {
      const { source } = under
      if (!source.probe) return
      const owner = options.owner ?? usualOwner
      for (const { name } of (await listOf(options, under)).filter(({ effect }) => effect === 'checkable')) {
        const answer = await source.probe(name, 'a-call-that-never-was', { owner, signal: signalOfNone() })
        assert.ok(answer === 'not_done' || answer === 'unknown', `it returned “${answer}” for an unknown call`)
      }
    }),
  )
}

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

function contextOf({ owner = usualOwner, context }: ToolSourceSuiteOptions, signal: AbortSignal = signalOfNone()): ToolContext {
  return {
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
    ...context,
    signal,
  }
}
