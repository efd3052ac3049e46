import { once } from 'node:events'
import { readdir, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { SandboxEvent, SandboxLimits } from '@agent-service/sdk/contracts/sandbox-driver'
import { expect } from 'chai'
import { describeEscapes, type EscapeBench } from './support/escape-bench.js'

const limits: SandboxLimits = { memoryBytes: 150_000_000, maxProcesses: 64, maxOpenFiles: 256, maxFileBytes: 20_000_000 }
/** For at least so long, and three commands of the other one. */
const bombMs = 400
const answerLimitMs = 1_000

/** Every bomb ends by itself, and never takes more than this, also where nothing limits it. */
const guard = `
import mmap, os, resource, signal, subprocess, sys, time
def guard():
    signal.alarm(10)
guard()
if not 0 <= resource.getrlimit(resource.RLIMIT_NPROC)[0] <= 300: resource.setrlimit(resource.RLIMIT_NPROC, (300, 300))
most = 600_000_000
print('ready', flush=True)
`
const python = (code: string): readonly [string, ...string[]] => ['/usr/bin/python3', '-I', '-c', guard + code]
const node = (code: string): readonly [string, ...string[]] => [
  process.execPath,
  '-e',
  `console.log('ready'); setTimeout(() => process.exit(9), 10_000); ${code}`,
]

interface Bomb {
  readonly command: readonly [string, ...string[]]
  /** What it comes to by itself; else it goes on until it is ended. */
  readonly reason?: 'memory_limit'
}

const bombs: Readonly<Record<string, Bomb>> = {
  'processes that fork': {
    command: python(`
while True:
    try:
        if os.fork() == 0: guard()
    except OSError: pass`),
  },
  'processes that leave their session and fork': {
    command: python(`
while True:
    try:
        if os.fork() == 0:
            guard(); os.setsid()
            if os.fork() > 0: os._exit(0)
    except OSError: pass`),
  },
  threads: {
    command: python(`
import threading
threading.stack_size(65536)
while True:
    try: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
    except RuntimeError: pass`),
  },
  'memory of a heap': {
    command: python(`all = []\nwhile sum(map(len, all)) < most: all.append(b'x' * 4_000_000)`),
    reason: 'memory_limit',
  },
  'memory that is shared': {
    command: python(`held = mmap.mmap(-1, most)\nfor at in range(0, most, 4096): held[at] = 1`),
    reason: 'memory_limit',
  },
  'memory of many children': {
    command: python(`
for _ in range(20):
    if os.fork() == 0:
        guard(); held = b'x' * 20_000_000; time.sleep(9); os._exit(0)
while True:
    try: os.wait()
    except ChildProcessError: break`),
  },
  'memory of Node.js buffers': {
    command: node(`const all = []; while (all.length < 75) all.push(Buffer.alloc(8_000_000, 1))`),
    reason: 'memory_limit',
  },
  'memory of WebAssembly': {
    command: node(
      `const held = new WebAssembly.Memory({ initial: 1, maximum: 9000 }); while (held.buffer.byteLength < 580_000_000) { held.grow(64); new Uint8Array(held.buffer).fill(1, held.buffer.byteLength - 4_194_304) }`,
    ),
    reason: 'memory_limit',
  },
  'spinning processes': { command: python(`for _ in range(7):\n    if os.fork() == 0: break\nguard()\nwhile True: pass`) },
  'children that spin for a moment': {
    command: python(`
while True:
    if os.fork() == 0:
        end = time.time() + 0.02
        while time.time() < end: pass
        os._exit(0)
    os.wait()`),
  },
  'endless output': { command: python(`sys.stdout.flush()\nwhile True: os.write(1, b'x' * 65536); os.write(2, b'y' * 65536)`) },
  'files that fill a disk': {
    command: python(`
for number in range(8):
    try:
        with open('file%d' % number, 'wb') as file:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            for _ in range(30): file.write(b'x' * 1_000_000)
    except OSError: pass
time.sleep(9)`),
  },
  'open files': {
    command: python(`
all = []
while True:
    try: all.append(os.open('/dev/null', os.O_RDONLY)); all.extend(os.pipe())
    except OSError: time.sleep(0.001)`),
  },
  'files in folders without end': {
    command: python(`
for number in range(3000):
    try: os.makedirs('a/%d/b' % number); open('a/%d/c' % number, 'w').close()
    except OSError: break
time.sleep(9)`),
  },
}

/** Asks a server of this process every few milliseconds. */
async function openWatch() {
  const server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let slowest = 0
  let isOpen = true
  const asking = (async () => {
    while (isOpen) {
      const started = performance.now()
      await (await fetch(`http://127.0.0.1:${port}/healthz`)).text()
      slowest = Math.max(slowest, performance.now() - started)
      await delay(20)
    }
  })()
  return {
    async close() {
      isOpen = false
      await asking
      server.close()
      server.closeAllConnections()
      return slowest
    },
  }
}

/** Starts a bomb, and reads its output slowly. */
function light({ driver, request }: EscapeBench, { command }: Bomb) {
  const stop = new AbortController()
  const prefix = path.dirname(path.dirname(process.execPath))
  const asked = request(command, { limits, principal: 'bombing' })
  let ready = (): void => undefined
  const lit = new Promise<void>((resolve) => {
    ready = resolve
  })
  let said = ''
  const ended = (async () => {
    let exit: Extract<SandboxEvent, { type: 'exit' }> | undefined
    const events = driver.run({ ...asked, files: { ...asked.files, read: [prefix] } }, { signal: stop.signal })
    for await (const event of events) {
      if (event.type === 'output') {
        ready()
        said = said.slice(-200) + Buffer.from(event.bytes).toString()
        await delay(5)
      }
      if (event.type === 'exit') exit = event
    }
    ready()
    return exit
  })()
  return { lit, ended, stop: () => stop.abort(), said: () => said.slice(-200) }
}

describeEscapes('bombs of one principal while another works', (bench) => {
  for (const [name, bomb] of Object.entries(bombs))
    it(`${name}: the other's commands finish, the service answers within a second, and nothing is left`, async () => {
      const { driver, run, workspace } = bench()
      const { limits: fence } = (await driver.health({ signal: new AbortController().signal })).fences
      const before = process.memoryUsage().rss
      const watch = await openWatch()
      const { lit, ended, stop, said } = light(bench(), bomb)
      await lit
      const until = Date.now() + bombMs
      for (let round = 0; round < 3 || Date.now() < until; round += 1) {
        const { output, exit, errors } = await run(`print('works', ${round})`, { principal: 'another' })
        expect([output, exit.reason, exit.code], errors).to.deep.equal([`works ${round}\n`, 'exit', 0])
      }
      // What a limit ends is waited for.
      const endsByItself = fence.state === 'closed' && bomb.reason !== undefined
      if (endsByItself) await ended
      else stop()
      const stopped = Date.now()
      const exit = await ended
      expect(Date.now() - stopped, 'it took long to end').to.be.below(5_000)
      expect(exit?.left, JSON.stringify(exit)).to.equal(0)
      // The kernel ends what goes over the limit, or refuses the memory; then the program ends with an error.
      if (endsByItself && !(exit?.reason === 'exit' && exit.code === 1 && (exit.peakMemoryBytes ?? Infinity) <= (limits.memoryBytes ?? 0)))
        expect(exit?.reason, `${JSON.stringify(exit)} ${said()}`).to.equal(bomb.reason)
      expect(await watch.close(), 'the slowest answer, in ms').to.be.below(answerLimitMs)
      expect(process.memoryUsage().rss - before, 'it grew').to.be.below(100_000_000)
      for (const file of (await readdir(workspace)).filter((each) => each.startsWith('file')))
        expect((await stat(path.join(workspace, file))).size).to.be.at.most(limits.maxFileBytes ?? 0)
      await rm(path.join(workspace, 'a'), { recursive: true, force: true })
    })
})
