import { strict as assert } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import type { SourceTool, ToolSourceChange, ToolSourceOwner } from '../../contracts/tool-source/tool-source.js'
import { pass } from '../event-loop-turns.js'
import { givenInput } from '../unchecked-rules.js'
import { endsWithin } from '../within-limit.js'
import type { ToolSourceSuite } from './source-bench.js'
import type { ToolSourceUnderTest } from './suite-options.js'

/** Rules for the report of changed lists. */
export function describeChanges(suite: ToolSourceSuite): void {
  const { runner, using, listOf, owner, limitMs } = suite
  runner.it('lists what has changed', () =>
    using(async (under) => {
      if (under.change === undefined) return
      const before = await listOf(under)
      await under.change()
      assert.ok(!isDeepStrictEqual(await listOf(under), before), 'the list is as before')
    }),
  )
  runner.it('reports a changed list, if it has changes', () => using((under) => assertReported(suite, under)))
  runner.it('reports it again to a second listener, as the host is after an end', () =>
    using(async (under) => {
      const { source } = under
      if (source.changes === undefined) return
      const controller = new AbortController()
      const first = nextFor(source.changes({ signal: controller.signal }), absentOwner)
      await pass()
      controller.abort(new Error('stopped'))
      await endsWithin(first, limitMs, 'the changes continued')
      await assertReported(suite, under)
    }),
  )
  runner.it('has the same list until it reports a change', () =>
    using(async (under) => {
      const { source } = under
      if (source.changes === undefined) return
      const controller = new AbortController()
      let isReported = false
      const reported = nextFor(source.changes({ signal: controller.signal }), owner).then((came) => {
        isReported = came
      })
      const before = await listOf(under)
      await pass()
      const after = await listOf(under)
      await pass()
      if (!isReported) assert.deepEqual(offersOf(after), offersOf(before), 'the list has changed, and no change was reported')
      controller.abort(new Error('stopped'))
      await endsWithin(reported, limitMs, 'the changes continued')
    }),
  )
  runner.it('ends its changes when they are aborted', () =>
    using(async ({ source }) => {
      if (source.changes === undefined) return
      for (const turns of [0, 20]) {
        const controller = new AbortController()
        const work = nextFor(source.changes({ signal: controller.signal }), absentOwner)
        await pass(turns)
        controller.abort(new Error('stopped'))
        await endsWithin(work, limitMs, 'the changes continued')
      }
    }),
  )
  describeHeld(suite)
}

function describeHeld({ runner, using, call, examples, unchecked, limitMs }: ToolSourceSuite): void {
  runner.it('holds nothing for changes and calls that have ended', () =>
    using(async (under) => {
      const { source } = under
      if (under.held === undefined) unchecked.without('held', 'ended changes and calls leave no listener or connection behind')
      const held = givenInput(under.held)
      if (held === undefined) return
      const before = held()
      for (const example of examples) await call(under, example)
      if (source.changes !== undefined) {
        const controller = new AbortController()
        const work = nextFor(source.changes({ signal: controller.signal }), absentOwner)
        await pass()
        controller.abort(new Error('stopped'))
        await endsWithin(work, limitMs, 'the changes continued')
      }
      await pass()
      assert.equal(
        held(),
        before,
        'something is still held for changes or calls that have ended; “held” leaves out what is opened once and used by all',
      )
    }),
  )
}

const absentOwner: ToolSourceOwner = { userId: 'no one', agentId: 'none', agentHandle: 'none' }

/** Changes the list, and waits for the report of it. */
async function assertReported({ listOf, owner, limitMs }: ToolSourceSuite, under: ToolSourceUnderTest): Promise<void> {
  const { source, change } = under
  if (source.changes === undefined) return
  assert.ok(change !== undefined, 'the source has “changes”; give “change” beside it, so that the suite can make one')
  const before = await listOf(under)
  const controller = new AbortController()
  const reported = nextFor(source.changes({ signal: controller.signal }), owner)
  await change()
  await endsWithin(reported, limitMs, 'no change was reported')
  assert.ok(await reported, 'the changes ended without one of this owner')
  assert.ok(!isDeepStrictEqual(await listOf(under), before), 'the list is as before')
  controller.abort(new Error('stopped'))
}

/** True at the first change that is the owner's, false at the end. */
async function nextFor(changes: AsyncIterable<ToolSourceChange>, { userId, agentId }: ToolSourceOwner): Promise<boolean> {
  for await (const change of changes) {
    if ((change.userId ?? userId) === userId && (change.agentId ?? agentId) === agentId) return true
  }
  return false
}

/** What an agent is offered, by name: texts for people and models may vary. */
const offersOf = (list: readonly SourceTool[]): unknown =>
  new Map(list.map(({ name, title, description, ...offer }) => [name, offer] as const))
