import { strict as assert } from 'node:assert'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SuiteRunner } from '../suite-runner.js'
import { isError } from './refusals.js'
import type { SuiteBench, WithBench } from './suite-bench.js'

/** A process that another one leaves behind, which writes to `beats` as long as it lives. */
const leftBehind = '(while :; do echo beat >> beats; sleep 0.05; done) >/dev/null 2>&1 & '

/** Fails if something still writes to `beats`. */
async function assertSilent({ workspace }: SuiteBench): Promise<void> {
  const size = async (): Promise<number> => (await readFile(path.join(workspace, 'beats'))).length
  const before = await size()
  assert.ok(before > 0, 'the process left behind never ran')
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(await size(), before, 'a process of the tree still runs')
}

const untilItBeats = 'until [ -s beats ]; do sleep 0.02; done; '

/** How processes end. */
export function describeEnds(runner: SuiteRunner, withBench: WithBench): void {
  runner.it(
    'ends what a process leaves behind with it',
    withBench(async (bench) => {
      const { exit } = await bench.run(`${leftBehind}${untilItBeats}exit 4`)
      assert.deepEqual([exit.reason, exit.code, exit.left], ['exit', 4, 0])
      await assertSilent(bench)
    }),
  )

  runner.it(
    'ends the tree when the signal is aborted, although it ignores SIGTERM',
    withBench(async (bench) => {
      const process = bench.start(`trap '' TERM INT HUP; ${leftBehind}${untilItBeats}echo ready; while :; do sleep 1; done`)
      await process.shows('ready')
      process.abort()
      const { exit } = await process.ended
      assert.deepEqual([exit.reason, exit.code, exit.left], ['killed', null, 0])
      await assertSilent(bench)
    }),
  )

  runner.it(
    'ends the tree when its events are left',
    withBench(async (bench) => {
      const { driver, request, signal } = bench
      const asked = request(['/bin/sh', '-c', `${leftBehind}${untilItBeats}echo ready; while :; do sleep 1; done`])
      for await (const event of driver.run(asked, { signal })) if (event.type === 'output') break
      await assertSilent(bench)
      assert.deepEqual(await driver.measure({ signal }), [])
    }),
  )

  runner.it(
    'does not start what was aborted before',
    withBench(async ({ driver, request, workspace }) => {
      const asked = request(['/bin/sh', '-c', 'echo ran > ran'])
      const events = driver.run(asked, { signal: AbortSignal.abort() })[Symbol.asyncIterator]()
      await assert.rejects(async () => events.next())
      await assert.rejects(readFile(path.join(workspace, 'ran')), 'it ran')
    }),
  )

  runner.it(
    'ends what is aborted while it starts',
    withBench(async (bench) => {
      const { driver, request, workspace, signal } = bench
      for (let turns = 0; turns < 4; turns += 1) {
        const stop = new AbortController()
        const asked = request(['/bin/sh', '-c', 'echo beat > beats; while :; do echo beat >> beats; sleep 0.05; done'])
        const events = driver.run(asked, { signal: AbortSignal.any([stop.signal, signal]) })
        const outcome = (async () => {
          for await (const event of events) if (event.type === 'exit') assert.equal(event.reason, 'killed')
        })().catch((error: unknown) => assert.ok(!(error instanceof assert.AssertionError), error as Error))
        for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
        stop.abort()
        await outcome
        assert.deepEqual(await driver.measure({ signal }), [], `after ${turns} turns: it still runs`)
      }
      await writeFile(path.join(workspace, 'beats'), 'beat')
      await assertSilent(bench)
    }),
  )

  runner.it(
    'sends signals to the tree',
    withBench(async ({ start }) => {
      const process = start(`trap 'echo caught; exit 5' USR1; echo ready; while :; do sleep 0.05; done`)
      await process.shows('ready')
      await process.send({ kind: 'signal', signal: 'SIGUSR1' })
      const { stdout, exit } = await process.ended
      assert.deepEqual([stdout, exit.reason, exit.code], ['ready\ncaught\n', 'exit', 5])
    }),
  )

  runner.it(
    'reports a signal by which a process ended',
    withBench(async ({ run }) => {
      const { exit } = await run('kill -9 $$')
      assert.deepEqual([exit.reason, exit.code, exit.signal], ['signal', null, 'SIGKILL'])
    }),
  )

  for (const reason of ['timeout', 'memory_limit'] as const)
    runner.it(
      `ends a process for ${reason}, with its time to clean up, and reports the reason`,
      withBench(async (bench) => {
        const process = bench.start(`trap 'echo cleaning' TERM; ${leftBehind}${untilItBeats}echo ready; while :; do sleep 0.05; done`)
        await process.shows('ready')
        await process.send({ kind: 'end', reason, graceMs: 400 })
        const { stdout, exit } = await process.ended
        assert.equal(stdout, 'ready\ncleaning\n')
        assert.deepEqual([exit.reason, exit.left], [reason, 0])
        await assertSilent(bench)
      }),
    )

  runner.it(
    'reports why it ended a process, although that leaves by itself when it is asked to',
    withBench(async ({ start }) => {
      const process = start(`trap 'exit 0' TERM; echo ready; while :; do sleep 0.05; done`)
      await process.shows('ready')
      await process.send({ kind: 'end', reason: 'cpu_limit', graceMs: 60_000 })
      assert.equal((await process.ended).exit.reason, 'cpu_limit')
    }),
  )

  runner.it(
    'does not know a process that has ended, or never was',
    withBench(async ({ driver, start, signal }) => {
      const process = start('exit 0')
      await process.ended
      for (const id of [process.id, 'suite-never'])
        await assert.rejects(driver.send(id, { kind: 'signal', signal: 'SIGTERM' }, { signal }), isError('sandbox_process_not_found'))
    }),
  )

  runner.it(
    'releases a principal, also an unknown one, and has nothing to sweep after its own processes',
    withBench(async ({ driver, run, signal }) => {
      await run('exit 0')
      assert.deepEqual(await driver.sweep({ signal }), { processes: 0 })
      for (const principal of ['suite-one', 'suite-one', 'suite-unknown']) await driver.forget(principal, { signal })
      assert.equal((await run('exit 6')).exit.code, 6)
    }),
  )
}
