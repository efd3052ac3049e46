import { strict as assert } from 'node:assert'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SandboxRequest } from '../../contracts/sandbox-driver/sandbox-driver.js'
import type { SuiteRunner } from '../suite-runner.js'
import { assertPlainData } from '../within-limit.js'
import { isError } from './refusals.js'
import type { RequestChange, SuiteBench, WithBench } from './suite-bench.js'

const canary = 'the canary sings'

/** What processes cannot do, looked at on the host. */
export function describeFences(runner: SuiteRunner, withBench: WithBench): void {
  runner.it(
    'says in its health what confines, and gives a reason for what does not',
    withBench(async ({ driver, health, signal }) => {
      assertPlainData(health, 'the health')
      for (const [name, { state, by, reason }] of Object.entries(health.fences)) {
        assert.ok(['closed', 'partial', 'open'].includes(state), `${name} is ${state}`)
        assert.equal(by === '', state === 'open', `${name} is ${state} by “${by}”`)
        assert.equal(reason === '', state === 'closed', `${name} is ${state} because of “${reason}”`)
      }
      const { files, processes } = health.fences
      assert.equal(health.confines, files.state !== 'open' && processes.state !== 'open')
      assert.deepEqual(await driver.health({ signal }), health)
    }),
  )

  runner.it(
    'runs nothing that is to be confined where nothing confines',
    withBench(async ({ health, run, workspace }) => {
      const ran = run('echo ran > ran', { confined: true })
      if (health.confines) return assert.equal((await ran).exit.code, 0)
      await assert.rejects(ran, isError('sandbox_unavailable', 'sandbox_refused'))
      await assert.rejects(readFile(path.join(workspace, 'ran')), 'it ran')
    }),
  )

  runner.it('refuses requests whose names or paths could mean something else', withBench(refusesUnsafeRequests))

  runner.it(
    'refuses a second process with the id of a running one',
    withBench(async ({ driver, request, start, signal }) => {
      const process = start('echo ready; while :; do sleep 1; done')
      await process.shows('ready')
      const again = driver.run(request(['/bin/sh', '-c', 'exit 0'], { id: process.id }), { signal })
      await assert.rejects(async () => again[Symbol.asyncIterator]().next(), isError('sandbox_refused'))
    }),
  )

  runner.it(
    'refuses a program that cannot be started',
    withBench(async ({ driver, request, workspace, signal }) => {
      const missing = driver.run(request([path.join(workspace, 'missing')]), { signal })
      // A launcher that runs inside finds it out there.
      await assert.rejects(async () => {
        for await (const event of missing)
          if (event.type === 'exit')
            throw Object.assign(new Error('It did not run.'), { code: event.code === 0 ? 'ran' : 'sandbox_refused' })
      }, isError('sandbox_refused'))
    }),
  )

  runner.it('keeps files outside the lists from being read, changed, linked and removed', withBench(confinesFiles))
  runner.it('keeps a denied path closed below one that may be written', withBench(deniesBelow))
  runner.it('keeps a path that may only be read from changes, below one that may be written', withBench(readsBelow))
  runner.it('shows a principal no process of another one or of the service', withBench(hidesProcesses))
  runner.it('keeps the limits of memory and processes, and another principal works on', withBench(keepsLimits))
}

async function refusesUnsafeRequests({ driver, request, workspace, signal }: SuiteBench): Promise<void> {
  const files = (write: string) => ({ files: { read: [], write: [write], deny: [] } })
  const changes: readonly RequestChange[] = [
    { id: '../x' },
    { id: '' },
    { principal: 'a/b' },
    { principal: '-' },
    { directory: 'relative' },
    { directory: `${workspace}/../outside` },
    files(`${workspace}/`),
    files(`${workspace}/./x`),
    files(`${workspace}/a\0b`),
    files(`${workspace}/a\nb`),
    { environment: { 'A=B': 'c' } },
    { environment: { A: 'b\0c' } },
    { token: { variable: 'A B', text: 'x' } },
    { privateFiles: { 'A B': 'x' } },
  ]
  const whole: readonly SandboxRequest[] = [
    ...changes.map((change) => request(['/bin/sh', '-c', 'echo ran > ran'], change)),
    request(['/bin/sh', '-c', 'echo ran > ran; true a\0b']),
    request(['']),
  ]
  for (const asked of whole) {
    const events = driver.run(asked, { signal })
    const { id, principal, directory, environment, command } = asked
    await assert.rejects(
      async () => events[Symbol.asyncIterator]().next(),
      isError('sandbox_refused'),
      JSON.stringify({ id, principal, directory, environment, command, files: asked.files }),
    )
  }
  await assert.rejects(readFile(path.join(workspace, 'ran')), 'one of them ran')
}

/** Where nothing confines, what would have to be confined is not run. */
const assertRefused = ({ run }: SuiteBench): Promise<void> =>
  assert.rejects(run('exit 0', { confined: true }), isError('sandbox_unavailable', 'sandbox_refused'))

async function confinesFiles(bench: SuiteBench): Promise<void> {
  const { health, outside, run, workspace } = bench
  if (!health.confines) return assertRefused(bench)
  const secret = path.join(outside, 'secret.txt')
  await writeFile(secret, canary)
  const script = `
    cat '${secret}'; cat ../outside/secret.txt; cat '/proc/self/root${secret}'
    ln -s '${secret}' soft; cat soft; ln '${secret}' hard && cat hard
    echo changed > '${secret}'; echo changed > soft; echo new > '${outside}/new.txt'; mkdir '${outside}/folder'
    rm -f '${secret}'; mv soft '${outside}/moved'; cp '${secret}' copied && cat copied
    true`
  const { stdout, stderr } = await run(script)
  assert.ok(!`${stdout}${stderr}`.includes(canary), 'a file outside was read')
  assert.deepEqual(await readdir(outside), ['secret.txt'], 'something was made outside')
  assert.equal(await readFile(secret, 'utf8'), canary, 'a file outside was changed')
  for (const name of await readdir(workspace))
    assert.ok(
      name === 'soft' || !(await readFile(path.join(workspace, name), 'utf8')).includes(canary),
      `${name} holds a file from outside`,
    )
}

async function deniesBelow(bench: SuiteBench): Promise<void> {
  const { health, run, workspace, request, driver, signal } = bench
  if (!health.confines) return assertRefused(bench)
  const denied = path.join(workspace, 'denied')
  await mkdir(denied)
  await writeFile(path.join(denied, 'secret.txt'), canary)
  const files = { read: [path.dirname(path.dirname(process.execPath))], write: [workspace], deny: [denied] }
  const script =
    'cat denied/secret.txt; echo changed > denied/secret.txt; echo new > denied/new.txt; mv denied other; cat other/secret.txt; true'
  try {
    const { stdout } = await run(script, { files })
    assert.ok(!stdout.includes(canary), 'a denied file was read')
  } catch (error) {
    if (!isError('sandbox_refused')(error)) throw error
    const refused = driver.run(request(['/bin/sh', '-c', 'exit 0'], { files }), { signal })
    await assert.rejects(async () => refused[Symbol.asyncIterator]().next(), isError('sandbox_refused'))
  }
  assert.deepEqual(await readdir(denied), ['secret.txt'])
  assert.equal(await readFile(path.join(denied, 'secret.txt'), 'utf8'), canary)
}

async function readsBelow(bench: SuiteBench): Promise<void> {
  const { health, run, workspace } = bench
  if (!health.confines) return assertRefused(bench)
  const fixed = path.join(workspace, 'fixed')
  await mkdir(fixed)
  await writeFile(path.join(fixed, 'table.txt'), canary)
  const files = { read: [path.dirname(path.dirname(process.execPath)), fixed], write: [workspace], deny: [] }
  const script =
    'cat fixed/table.txt; echo changed > fixed/table.txt; echo new > fixed/new.txt; rm fixed/table.txt; mv fixed other; echo own > own.txt; true'
  try {
    const { stdout } = await run(script, { files })
    assert.ok(stdout.includes(canary), 'it could not be read')
    assert.equal(await readFile(path.join(workspace, 'own.txt'), 'utf8'), 'own\n', 'what lies beside it could not be changed')
  } catch (error) {
    if (!isError('sandbox_refused')(error)) throw error
  }
  assert.deepEqual(await readdir(fixed), ['table.txt'])
  assert.equal(await readFile(path.join(fixed, 'table.txt'), 'utf8'), canary)
}

async function hidesProcesses(bench: SuiteBench): Promise<void> {
  const { health, runNode, start } = bench
  if (!health.confines) return assertRefused(bench)
  const victim = start('echo ready; while :; do sleep 1; done', { principal: 'suite-two' })
  await victim.shows('ready')
  const code = `
    import { readdirSync, readFileSync } from 'node:fs'
    const tried = {}
    try { process.kill(${process.pid}, 'SIGCONT'); tried.signal = true } catch {}
    for (const name of ['environ', 'maps', 'mem']) try { readFileSync('/proc/${process.pid}/' + name); tried[name] = true } catch {}
    console.log(JSON.stringify(tried))`
  const { stdout } = await runNode(code)
  assert.deepEqual(JSON.parse(stdout), {}, 'the service was reached')
  await victim.send({ kind: 'signal', signal: 'SIGCONT' })
  victim.abort()
  assert.equal((await victim.ended).exit.reason, 'killed', 'the process of another principal was ended')
}

async function keepsLimits(bench: SuiteBench): Promise<void> {
  const { health, run, runNode, start } = bench
  // What is not enforced from the start is left to the host, which measures and ends.
  if (health.fences.limits.state !== 'closed')
    return assert.equal((await run('exit 9', { limits: { memoryBytes: 200_000_000 } })).exit.code, 9)
  let done = (): void => undefined
  const bombed = new Promise<void>((resolve) => {
    done = resolve
  })
  const other = start('echo ready; read line; echo "still $line"', {
    principal: 'suite-two',
    input: (async function* () {
      await bombed
      yield new TextEncoder().encode('here\n')
    })(),
  })
  await other.shows('ready')
  // Bounded, for a driver that does not enforce what it says.
  const bomb = 'const all = []; while (all.length < 75) all.push(Buffer.alloc(8_000_000, 1)); process.exit(all.length > 0 ? 0 : 1)'
  const { exit } = await runNode(bomb, { limits: { memoryBytes: 200_000_000 } })
  assert.equal(exit.reason, 'memory_limit')
  done()
  assert.equal((await other.ended).stdout, 'ready\nstill here\n')
}
