import { strict as assert } from 'node:assert'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SuiteRunner } from '../suite-runner.js'
import { assertPlainData } from '../within-limit.js'
import { isError } from './refusals.js'
import type { WithBench } from './suite-bench.js'

async function* inputOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text)
}

/** What a process gets, and what comes of it. */
export function describeProcesses(runner: SuiteRunner, withBench: WithBench): void {
  runner.it(
    'reports what a process writes to each stream, and its exit code',
    withBench(async ({ run }) => {
      const { stdout, stderr, exit } = await run('echo out; echo err >&2; exit 7')
      assert.deepEqual([stdout, stderr], ['out\n', 'err\n'])
      assert.deepEqual([exit.reason, exit.code, exit.signal, exit.left], ['exit', 7, null, 0])
    }),
  )

  runner.it(
    'passes arguments as they are',
    withBench(async ({ driver, request, signal }) => {
      const given = ['--', '$HOME', '"', "'", 'a b', '*', '\\', '-x', 'ü\n']
      const asked = request(['/bin/sh', '-c', 'for each in "$@"; do printf "[%s]" "$each"; done', 'sh', ...given])
      let text = ''
      for await (const event of driver.run(asked, { signal }))
        if (event.type === 'output') text += Buffer.from(event.bytes).toString('utf8')
      assert.equal(text, given.map((each) => `[${each}]`).join(''))
    }),
  )

  runner.it(
    'gives the process its environment and nothing of the service',
    withBench(async ({ runNode }) => {
      const environment = { PATH: '/usr/bin:/bin', WORD: 'two words' }
      const { stdout } = await runNode('console.log(JSON.stringify(process.env))', { environment })
      const seen = JSON.parse(stdout) as Record<string, string>
      // A shell or a runtime may add what it knows by itself.
      for (const own of ['PWD', 'OLDPWD', 'SHLVL', '_', '__CF_USER_TEXT_ENCODING']) delete seen[own]
      assert.deepEqual(seen, environment)
    }),
  )

  runner.it(
    'puts no token and no secret into the environment, only the names of their files',
    withBench(async ({ runNode }) => {
      const { stdout } = await runNode('console.log(JSON.stringify(process.env)); console.log(process.argv.join())', {
        environment: { WORD: 'two words' },
        token: { variable: 'TOKEN_FILE', text: 'canary-1' },
        privateFiles: { ONE: 'canary-2', TWO: 'canary-3' },
      })
      assert.doesNotMatch(stdout, /canary/)
      const seen = JSON.parse(stdout.split('\n')[0] ?? '') as Record<string, string>
      for (const name of ['TOKEN_FILE', 'ONE', 'TWO']) assert.ok(path.isAbsolute(seen[name] ?? ''), `${name} is ${seen[name]}`)
      assert.equal(new Set(['TOKEN_FILE', 'ONE', 'TWO'].map((name) => seen[name])).size, 3, 'two of them have one file')
    }),
  )

  runner.it(
    'runs the process in its directory, where both it and the service can change files',
    withBench(async ({ run, workspace }) => {
      await writeFile(path.join(workspace, 'of-service.txt'), 'one\n')
      const { stdout, stderr, exit } = await run(
        'pwd; cat of-service.txt; echo two >> of-service.txt; echo three > own.txt; mkdir -p a/b; echo four > a/b/c',
      )
      assert.deepEqual([exit.code, stderr], [0, ''])
      assert.equal(stdout, `${workspace}\none\n`)
      assert.equal(await readFile(path.join(workspace, 'of-service.txt'), 'utf8'), 'one\ntwo\n')
      await writeFile(path.join(workspace, 'own.txt'), 'changed')
      await writeFile(path.join(workspace, 'a/b/c'), 'changed')
    }),
  )

  runner.it(
    'passes input as it comes, and its end',
    withBench(async ({ run }) => {
      const { stdout, exit } = await run('cat; echo end', { input: inputOf('one ', 'two ', 'ü') })
      assert.deepEqual([stdout, exit.code], ['one two üend\n', 0])
      assert.equal((await run('cat; echo end')).stdout, 'end\n', 'without input, the input is not closed')
      assert.equal((await run('exit 3', { input: inputOf('never read') })).exit.code, 3)
    }),
  )

  runner.it(
    'lets a process wait while its output is not read',
    withBench(async ({ driver, request, workspace, signal }) => {
      const block = 16_384
      const code = `
        const fs = require('node:fs')
        const bytes = Buffer.alloc(${block})
        for (let count = 1; count <= 256; count += 1) { fs.writeSync(1, bytes); fs.writeFileSync('count', String(count)) }`
      const events = driver.run(request([process.execPath, '-e', code]), { signal })[Symbol.asyncIterator]()
      assert.equal((await events.next()).value?.type, 'started')
      const first = (await events.next()).value
      assert.ok(first?.type === 'output')
      const countNow = async (): Promise<number> => Number(await readFile(path.join(workspace, 'count'), 'utf8').catch(() => '0'))
      for (let before = -1, now = await countNow(); before !== now || now === 0; ) {
        await new Promise((resolve) => setTimeout(resolve, 200))
        before = now
        now = await countNow()
      }
      const written = (await countNow()) * block
      assert.ok(written < 2_000_000, `${written} bytes were written although none of them was read`)
      let bytes = first.bytes.length
      for (let step = await events.next(); step.done !== true; step = await events.next())
        if (step.value.type === 'output') bytes += step.value.bytes.length
      assert.equal(bytes, 256 * block, 'output was lost')
    }),
  )

  runner.it(
    'keeps a token in a file of the principal, replaces it, and removes it at the end',
    withBench(async ({ start }) => {
      const script =
        'rights() { ls -l "$TOKEN_FILE" | cut -c 5-10; }; echo "$TOKEN_FILE"; rights; cat "$TOKEN_FILE"; echo; ' +
        'while [ "$(cat "$TOKEN_FILE")" = first ]; do sleep 0.05; done; rights; cat "$TOKEN_FILE"'
      const process = start(script, { token: { variable: 'TOKEN_FILE', text: 'first' } })
      await process.shows('first\n')
      await process.send({ kind: 'token', text: 'second' })
      const { stdout } = await process.ended
      const [file = '', ...texts] = stdout.split('\n')
      assert.deepEqual(texts, ['------', 'first', '------', 'second'], 'the text, or others may read the file')
      await assert.rejects(readFile(file), 'the file of the token is still there')
    }),
  )

  runner.it(
    'keeps secrets in files of the principal, and removes them at the end',
    withBench(async ({ start }) => {
      const script = 'for file in "$ONE" "$TWO"; do echo "$file"; cat "$file"; ls -l "$file" | cut -c 5-10; done'
      const process = start(script, { privateFiles: { ONE: 'first\n', TWO: 'second\n' } })
      const { stdout } = await process.ended
      const [one = '', first, rightsOfOne, two = '', second, rightsOfTwo] = stdout.split('\n')
      assert.deepEqual([first, second], ['first', 'second'])
      assert.deepEqual([rightsOfOne, rightsOfTwo], ['------', '------'], 'others may read the files')
      for (const file of [one, two]) await assert.rejects(readFile(file), 'the file of a secret is still there')
    }),
  )

  runner.it(
    'measures what running processes use',
    withBench(async ({ driver, start, signal }) => {
      const process = start('echo ready; while :; do :; done')
      await process.shows('ready')
      for (let cpuMs = 0; cpuMs < 200; ) {
        const usage = await driver.measure({ signal })
        assertPlainData(usage, 'the usage')
        const own = usage.find(({ id }) => id === process.id)
        assert.ok(own, 'a running process is not in the list')
        assert.equal(own.principal, 'suite-one')
        assert.ok(own.memoryBytes > 0 && own.processes >= 1, JSON.stringify(own))
        assert.ok(own.cpuMs >= cpuMs, 'the time went down')
        cpuMs = own.cpuMs
      }
      process.abort()
      await process.ended
      assert.deepEqual(
        (await driver.measure({ signal })).map(({ id }) => id),
        [],
      )
    }),
  )

  runner.it(
    'has terminals if it supports them, and refuses them if it does not',
    withBench(async ({ driver, start }) => {
      let resize = (): void => undefined
      const resized = new Promise<void>((resolve) => {
        resize = resolve
      })
      const process = start('test -t 0 && test -t 1 && stty size && read line && stty size && echo "got $line"', {
        terminal: { columns: 50, rows: 20 },
        input: (async function* () {
          await resized
          yield* inputOf('hello\n')
        })(),
      })
      if (!driver.supports.terminal) return assert.rejects(process.ended, isError('sandbox_refused'))
      await process.shows('20 50')
      await process.send({ kind: 'resize', size: { columns: 80, rows: 24 } })
      resize()
      const { stdout, exit } = await process.ended
      assert.match(stdout, /24 80[\r\n]+got hello/)
      assert.equal(exit.code, 0)
    }),
  )
}
