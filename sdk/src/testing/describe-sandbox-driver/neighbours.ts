import { strict as assert } from 'node:assert'
import { availableParallelism } from 'node:os'
import type { SuiteRunner } from '../suite-runner.js'
import type { RunningProcess, SuiteBench, WithBench } from './suite-bench.js'

/** Several processes of one principal at a time: what is meant for one reaches no other one. */
export function describeNeighbours(runner: SuiteRunner, withBench: WithBench): void {
  runner.it('keeps tokens and secrets of processes that run at the same time apart', withBench(keepsSecretsApart))
  runner.it('sends a command to the process that it names, and to no other one', withBench(sendsToOne))
  runner.it('measures the whole tree of a process, and no other one', withBench(measuresTrees))
  runner.it('measures in bytes and milliseconds', withBench(measuresInUnits))
}

/** A process that waits for its input before its last words. */
function startWaiting(bench: SuiteBench, script: string, name: string): RunningProcess & { release(): void } {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  async function* input() {
    await released
    yield new TextEncoder().encode('go on\n')
  }
  const process = bench.start(`echo ready; read line; ${script}`, {
    input: input(),
    token: { variable: 'TOKEN_FILE', text: `token of ${name}` },
    privateFiles: { SECRET_FILE: `secret of ${name}` },
  })
  return { ...process, release }
}

async function keepsSecretsApart(bench: SuiteBench): Promise<void> {
  const script = 'cat "$TOKEN_FILE"; echo; cat "$SECRET_FILE"; echo'
  const one = startWaiting(bench, script, 'one')
  await one.shows('ready')
  const other = startWaiting(bench, script, 'another')
  await other.shows('ready')
  await other.send({ kind: 'token', text: 'new token of another' })
  one.release()
  assert.equal((await one.ended).stdout, 'ready\ntoken of one\nsecret of one\n')
  other.release()
  assert.equal((await other.ended).stdout, 'ready\nnew token of another\nsecret of another\n', 'it went with the first process')
}

async function sendsToOne({ start }: SuiteBench): Promise<void> {
  const script = `trap 'echo caught; exit 5' USR1; echo ready; while :; do sleep 0.05; done`
  const processes = [start(script), start(script), start(script)]
  for (const process of processes) await process.shows('ready')
  const [first, second, third] = processes
  await second?.send({ kind: 'signal', signal: 'SIGUSR1' })
  assert.equal((await second?.ended)?.exit.code, 5)
  await third?.send({ kind: 'end', reason: 'stopped', graceMs: 0 })
  assert.equal((await third?.ended)?.exit.reason, 'stopped')
  await first?.send({ kind: 'signal', signal: 'SIGUSR1' })
  const { stdout, exit } = (await first?.ended) ?? assert.fail()
  assert.deepEqual([stdout, exit.reason, exit.code], ['ready\ncaught\n', 'exit', 5], 'another process got what was meant for this one')
}

async function measuresTrees({ driver, start, signal }: SuiteBench): Promise<void> {
  const alone = start('echo ready; while :; do sleep 1000; done')
  const tree = start('for each in 1 2 3 4 5 6; do sleep 1000 & done; echo ready; wait')
  for (const process of [alone, tree]) await process.shows('ready')
  const usage = await driver.measure({ signal })
  const of = ({ id }: RunningProcess) => usage.find((each) => each.id === id) ?? assert.fail(`${id} is not in the list`)
  assert.ok(of(tree).processes >= 7, `a tree of 7 processes has ${of(tree).processes}`)
  // A launcher of the driver counts with both.
  assert.ok(of(tree).processes - of(alone).processes >= 4, `${of(alone).processes} processes beside a tree of ${of(tree).processes}`)
  assert.ok(of(tree).memoryBytes > of(alone).memoryBytes, 'the memory of the children is missing')
  for (const process of [alone, tree]) process.abort()
  await Promise.all([alone.ended, tree.ended])
}

/** Uses a processor, and then holds memory. */
const consuming = `
  while (process.cpuUsage().user < 400_000);
  const held = Buffer.alloc(150_000_000, 1)
  console.log('ready ' + held.length)
  setInterval(() => held.fill(2), 60_000)`

async function measuresInUnits({ driver, startNode, signal }: SuiteBench): Promise<void> {
  const began = Date.now()
  const process = startNode(consuming)
  await process.shows('ready')
  const usage = await driver.measure({ signal })
  const { cpuMs, memoryBytes } = usage.find(({ id }) => id === process.id) ?? assert.fail('it is not in the list')
  // What is measured at ticks, or shared, leaves a margin on both sides.
  assert.ok(memoryBytes > 75_000_000 && memoryBytes < 4_000_000_000, `${memoryBytes} bytes, with 150,000,000 in use`)
  const possibleMs = (Date.now() - began) * availableParallelism() + 2_000
  // Some systems tell whole seconds only, so that a short time is 0.
  assert.ok(cpuMs >= 0 && cpuMs < possibleMs, `${cpuMs} ms, with at most ${possibleMs} used`)
  process.abort()
  await process.ended
}
