import { strict as assert } from 'node:assert'
import { offeredToolName } from '../../contracts/tool-source/offered-tool-name.js'
import type { SourceTool } from '../../contracts/tool-source/tool-source.js'
import { abortAt, momentsOfAbort } from '../aborts.js'
import { assertPlainData, isOneLine, isWithin } from '../within-limit.js'
import { signalOfNone, type ToolSourceSuite } from './source-bench.js'

const effects: ReadonlySet<unknown> = new Set([undefined, 'read', 'idempotent', 'checkable', 'unsafe'])
const approvals: ReadonlySet<unknown> = new Set([undefined, 'never', 'first_time', 'always'])
/** The most bytes of JSON that a schema may have, and how deep it may be. */
const maxSchemaBytes = 32 * 1024
const maxSchemaDepth = 24

/** Rules for the list of tools. */
export function describeList(suite: ToolSourceSuite): void {
  const { runner, using, listOf, secrets, limitMs } = suite
  runner.it('lists plain data, unique names, at most 1,000', () =>
    using(async (under) => {
      const list = await listOf(under)
      assertPlainData(list, 'the list')
      assert.ok(list.length <= 1_000, `${list.length} tools`)
      assert.equal(new Set(list.map(({ name }) => name)).size, list.length, 'a name appears twice')
      const offered = list.map(({ name }) => offeredToolName(under.source.id, name))
      assert.equal(new Set(offered).size, offered.length, 'two tools would have the same name for models')
      secrets.assertNone(list, 'the list')
    }),
  )
  describeTools(suite)
  describeStranger(suite)
  runner.it('does not change a list that it has returned, nor by what is done to it', () =>
    using(async (under) => {
      const first = await listOf(under)
      const copyOfFirst = structuredClone(first)
      await under.change?.()
      assert.deepEqual(first, copyOfFirst, 'a change of the list changed one that was returned before')
      const second = (await listOf(under)) as SourceTool[]
      const copy = structuredClone(second)
      // What is frozen cannot be changed, which is as good.
      if (!Object.isFrozen(second)) second.splice(0, second.length)
      assert.deepEqual(await listOf(under), copy, 'the list is shared with those who asked for it')
    }),
  )
  runner.it('ends a list that is aborted', async () => {
    for (const moment of momentsOfAbort)
      await using((under) => abortAt(moment, (signal) => listOf(under, signal), { limitMs, what: 'the list' }))
  })
}

function describeTools({ runner, using, listOf }: ToolSourceSuite): void {
  const each = (title: string, test: (tool: SourceTool) => void): void =>
    runner.it(title, () =>
      using(async (under) => {
        for (const tool of await listOf(under)) test(tool)
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
}

function describeStranger({ runner, using, listOf, stranger }: ToolSourceSuite): void {
  runner.it('lists nothing of the owner for a stranger', () =>
    using(async (under) => {
      if (stranger === undefined) return
      const listOfStranger = (): Promise<readonly SourceTool[]> => under.source.tools({ ...stranger }, { signal: signalOfNone() })
      const names = new Set((await listOf(under)).map(({ name }) => name))
      const assertForeign = (list: readonly SourceTool[]): void =>
        assert.deepEqual(
          list.filter(({ name }) => names.has(name)).map(({ name }) => name),
          [],
        )
      assertForeign(await listOfStranger())
      const [beside, , besideToo, mine] = await Promise.all([listOfStranger(), listOf(under), listOfStranger(), listOf(under)])
      assertForeign(beside)
      assertForeign(besideToo)
      assert.deepEqual(new Set(mine.map(({ name }) => name)), names, 'the owner got another list while a stranger asked')
    }),
  )
}

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
