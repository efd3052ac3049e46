import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { fewPlugins } from '../support/few-plugins.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { type CarelessPlugin, withCarelessPlugins } from './support/careless-plugin.js'
import { untilLine, untilReady } from './support/restarting-service.js'

/** Plugins that leave something running, and how that is named. */
const leaving: readonly (CarelessPlugin & { readonly named: RegExp })[] = [
  { id: 'leaves-intervals', setup: 'setInterval(never, 1000); setInterval(never, 1000)', named: /^2 timers$/ },
  { id: 'leaves-timer', setup: 'setTimeout(never, 2 ** 30)', named: /^1 timer$/ },
  {
    id: 'leaves-server',
    setup: `const server = createServer(never).listen(0, '127.0.0.1'); await once(server, 'listening')`,
    named: /^1 server \(:\d+\)$/,
  },
  {
    id: 'leaves-socket',
    setup: `const server = createServer((socket) => socket.unref()).listen(0, '127.0.0.1'); await once(server, 'listening')
      const socket = connect(server.address().port, '127.0.0.1'); await once(socket, 'connect'); server.unref()`,
    named: /^1 socket$/,
  },
  {
    id: 'leaves-process',
    setup: `const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']); await once(child, 'spawn')`,
    named: /^1 child process \(pid \d+\)$/,
  },
  { id: 'leaves-worker', setup: `new Worker('setInterval(() => undefined, 1000)', { eval: true })`, named: /^1 worker$/ },
  { id: 'arms-again', setup: 'const again = () => setTimeout(again, 1); context.onDispose(again)', named: /^1 timer$/ },
  { id: 'arms-ever-again', setup: 'const again = () => setTimeout(again, 1); again()', named: /^1 timer$/ },
]

/** Plugins of which nothing may be named: it is over, or keeps nothing alive. */
const tidy: readonly CarelessPlugin[] = [
  {
    id: 'is-tidy',
    setup: `const interval = setInterval(never, 1000); context.onDispose(() => clearInterval(interval))
      clearTimeout(setTimeout(never, 2 ** 30)); setInterval(never, 1000).unref()
      await new Promise((resolve) => setTimeout(resolve, 1))
      const server = createServer(never).listen(0); await once(server, 'listening'); context.onDispose(() => server.close())
      const child = spawn(process.execPath, ['-e', '0']); await once(child, 'close')`,
  },
]

/** Plugins that throw while they stop, and the line that names them. */
const throwing: readonly (CarelessPlugin & { readonly line: RegExp })[] = [
  {
    id: 'throws-disposing',
    setup: `context.onDispose(() => { throw new Error('disposing') })`,
    line: /"message":"disposing".*Undoing failed/,
  },
  {
    id: 'throws-stopping',
    setup: `context.onStopping(() => { throw new Error('stopping') })`,
    line: /"message":"stopping".*prepared to stop/,
  },
  {
    id: 'throws-at-abort',
    setup: `context.signal.addEventListener('abort', () => { throw new Error('at abort') })`,
    line: /"message":"at abort".*An error of the plugin escaped/,
  },
  {
    id: 'throws-in-timer',
    setup: `context.onDispose(() => new Promise((resolve) => setTimeout(() => { setImmediate(resolve); throw new Error('in a timer') }, 1)))`,
    line: /"message":"in a timer".*An error of the plugin escaped/,
  },
  {
    id: 'rejects-disposing',
    setup: `context.onDispose(() => { void Promise.reject(new Error('rejected')) })`,
    line: /"message":"rejected".*An error of the plugin escaped/,
  },
  {
    id: 'throws-at-signal',
    setup: `process.on('SIGTERM', () => { throw new Error('at the signal') })`,
    line: /"message":"at the signal".*An error of the plugin escaped/,
  },
]

/** Plugins that would take the process from the service, and what they are told. */
const greedy: readonly (CarelessPlugin & { readonly line: RegExp })[] = [
  { id: 'exits-in-setup', setup: 'process.exit(0)', line: /does not run: setup failed: Plugin “exits-in-setup” called process\.exit\(\)/ },
  {
    id: 'exits-later',
    setup: 'await null; setImmediate(() => process.exit(0))',
    line: /Plugin “exits-later” called process\.exit\(\).*An error of the plugin escaped/,
  },
  {
    id: 'exits-disposing',
    setup: 'context.onDispose(() => process.exit(0))',
    line: /Plugin “exits-disposing” called process\.exit\(\).*Undoing failed/,
  },
  {
    id: 'aborts',
    setup: `const { abort } = await import('node:process'); abort()`,
    line: /does not run: setup failed: Plugin “aborts” called process\.abort\(\)/,
  },
  {
    id: 'kills-itself',
    setup: `process.kill(process.pid, 'SIGKILL')`,
    line: /does not run: setup failed: Plugin “kills-itself” called process\.kill\(\d+\)/,
  },
  {
    id: 'kills-its-group',
    setup: `await null; setImmediate(() => process.kill(0, 'SIGKILL'))`,
    line: /Plugin “kills-its-group” called process\.kill\(0\).*An error of the plugin escaped/,
  },
  {
    id: 'closes-output',
    setup: `const { closeSync } = await import('node:fs'); closeSync(1)`,
    line: /does not run: setup failed: Plugin “closes-output” called fs\.closeSync\(1\)/,
  },
  {
    id: 'ends-output',
    setup: 'process.stdout.end()',
    line: /does not run: setup failed: Plugin “ends-output” called process\.stdout\.end\(\)/,
  },
  {
    id: 'destroys-output',
    setup: 'await null; setImmediate(() => process.stderr.destroy())',
    line: /Plugin “destroys-output” called process\.stderr\.destroy\(\).*An error of the plugin escaped/,
  },
  {
    id: 'removes-all-listeners',
    setup: 'process.removeAllListeners()',
    line: /setup failed: Plugin “removes-all-listeners” removed a listener of the service from process/,
  },
  {
    id: 'removes-signals',
    setup: `for (const name of ['SIGTERM', 'SIGINT']) try { process.removeAllListeners(name) } catch (error) { context.log.warn(error.message) }`,
    line: /removed a listener of the service from process \(SIGTERM\)/,
  },
  {
    id: 'removes-faults',
    setup: `process.removeAllListeners('unhandledRejection')`,
    line: /removed a listener of the service from process \(unhandledRejection\)/,
  },
]

/** Plugins that change what the language and Node provide in their setup, and what is named. */
const patching: readonly (CarelessPlugin & { readonly named: string })[] = [
  { id: 'breaks-json', setup: `JSON.parse = () => { throw new Error('no JSON') }`, named: 'replaced JSON.parse' },
  { id: 'breaks-promises', setup: 'globalThis.Promise = class Promise {}', named: 'replaced globalThis.Promise' },
  { id: 'breaks-then', setup: 'Promise.prototype.then = () => undefined', named: 'replaced Promise.prototype.then' },
  { id: 'adds-to-arrays', setup: 'Array.prototype.last = function () { return this.at(-1) }', named: 'added Array.prototype.last' },
  { id: 'adds-to-objects', setup: `Object.prototype.get = 'got'`, named: 'added Object.prototype.get' },
  { id: 'removes-map', setup: 'delete Array.prototype.map', named: 'removed Array.prototype.map' },
  {
    id: 'breaks-iteration',
    setup: 'Array.prototype[Symbol.iterator] = undefined',
    named: 'replaced Array.prototype[Symbol(Symbol.iterator)]',
  },
  { id: 'breaks-timers', setup: 'globalThis.setTimeout = () => 1', named: 'replaced globalThis.setTimeout' },
  { id: 'stops-time', setup: 'Date.now = () => 0', named: 'replaced Date.now' },
  { id: 'wraps-environment', setup: 'process.env = new Proxy(process.env, { get() {} })', named: 'replaced process.env' },
  { id: 'breaks-json-at-import', setup: '', atImport: 'JSON.parse = () => 1', named: 'replaced JSON.parse' },
  {
    id: 'breaks-then-at-import',
    setup: '',
    atImport: 'Promise.prototype.then = () => undefined',
    named: 'replaced Promise.prototype.then',
  },
  { id: 'throws-too', setup: `JSON.stringify = undefined; throw new Error('by the way')`, named: 'replaced JSON.stringify' },
]

/** Plugins that change it while they stop, and what is named. */
const patchingAtStop: readonly (CarelessPlugin & { readonly named: string })[] = [
  {
    id: 'breaks-then-disposing',
    setup: 'context.onDispose(() => { Promise.prototype.then = () => undefined })',
    named: 'replaced Promise.prototype.then',
  },
  { id: 'breaks-json-stopping', setup: 'context.onStopping(() => { JSON.stringify = () => undefined })', named: 'replaced JSON.stringify' },
]

/** Plugins that change what is tolerated: they run. */
const instrumenting: CarelessPlugin = {
  id: 'instruments',
  setup: `const { default: http } = await import('node:http'); const { request } = http; http.request = (...given) => request(...given)
    const { fetch } = globalThis; globalThis.fetch = (...given) => fetch(...given); Error.stackTraceLimit = 20; console.log = never
    Object.defineProperty(Array.prototype, 'polyfilled', { value: never, configurable: true, writable: true }); Math.polyfilled = never
    context.log.warn('Instrumented.')`,
}

/** Plugins whose listeners for the end of the process do wrong. */
const atExit: readonly CarelessPlugin[] = [
  { id: 'throws-at-exit', setup: `process.on('exit', () => { throw new Error('at exit') })` },
  { id: 'sets-status', setup: `process.on('exit', () => { process.exitCode = 7 })` },
]

interface Line {
  readonly level: string
  readonly msg: string
  readonly plugin?: string
}

const linesOf = ({ log }: ServiceProcess): readonly Line[] =>
  log.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))

const leftBy = (service: ServiceProcess): readonly string[] =>
  linesOf(service).flatMap(({ msg }) => {
    const found = /^Plugin “(.+)” left running: (.+)\. The service does not wait for that\.$/.exec(msg)
    return found ? [`${found[1]}: ${found[2]}`] : []
  })

describe('a service with careless plugins', function () {
  this.timeout(60_000)
  let folder: string
  let service: ServiceProcess | undefined

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-careless-'))
  })
  afterEach(async () => {
    await service?.kill()
    service = undefined
    await removeFolder(folder)
  })

  const start = async (plugins: readonly CarelessPlugin[], environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> => {
    service = await startServiceProcess({
      folder,
      environment: { ...fewPlugins(), ...(await withCarelessPlugins(folder, plugins)), ...environment },
    })
    return service
  }
  const stopped = async (running: ServiceProcess): Promise<number | null> => {
    const closed = once(running.child, 'close')
    const status = await running.stop()
    await closed
    return status
  }

  it('ends with 0 and names whose it was, whatever they left running, throw while they stop, and do at the end of the process', async () => {
    const running = await start([...leaving, ...tidy, ...throwing, ...atExit])
    expect(await stopped(running), running.log.join('\n')).to.equal(0)

    const left = leftBy(running)
    for (const { id, named } of leaving) {
      const [what = ''] = left.flatMap((line) => (line.startsWith(`${id}: `) ? [line.slice(id.length + 2)] : []))
      expect(what, `${id} in ${left.join('\n')}`).to.match(named)
    }
    expect(left, left.join('\n')).to.have.length(leaving.length)
    for (const { id, line } of throwing) {
      expect(running.log.filter((text) => text.includes(`"plugin":"${id}"`)).join('\n'), running.log.join('\n')).to.match(line)
    }
  })

  it('goes on and ends with 0 when they exit the process or remove its listeners', async () => {
    const running = await start([...greedy, ...throwing])
    expect((await fetch(`${running.url}/readyz`)).status, running.log.join('\n')).to.equal(200)
    expect(await stopped(running), running.log.join('\n')).to.equal(0)
    for (const { id, line } of [...greedy, ...throwing]) {
      expect(running.log.filter((text) => text.includes(`"plugin":"${id}"`)).join('\n'), running.log.join('\n')).to.match(line)
    }
  })

  it('fails alone each that changes what the language and Node provide, and puts it back', async () => {
    const running = await start([...patching, instrumenting])
    expect((await fetch(`${running.url}/readyz`)).status, running.log.join('\n')).to.equal(200)
    expect(await stopped(running), running.log.join('\n')).to.equal(0)
    const log = running.log.join('\n')
    for (const { id, named } of patching)
      expect(log).to.include(`Plugin ${id} does not run: it ${named}, but`).and.to.include('That was put back.')
    expect(log).to.include('Instrumented.').and.to.not.include('Plugin instruments does not run')
    expect(log).to.not.include('One of the plugins that were starting')
  })

  it('stops in order when they change it while they stop, and names them', async () => {
    const running = await start([...patchingAtStop, ...tidy])
    expect(await stopped(running), running.log.join('\n')).to.equal(0)
    const log = running.log.join('\n')
    for (const { id, named } of patchingAtStop) expect(log).to.include(`Plugin “${id}” changed what belongs to all: it ${named}, but`)
    expect(log).to.not.include('did not end within')
  })

  it('names after a restart in place what the plugins of before left, once, and contains what that throws later', async () => {
    const running = await start([
      {
        id: 'throws-for-ever',
        setup: `if (globalThis.again === undefined) setInterval(() => { if (context.signal.aborted) throw new Error('late') }, 50); globalThis.again = true`,
      },
    ])
    const ada = await signUp(running.url, 'ada')
    expect((await ada.request('POST', '/api/admin/restart')).status).to.equal(202)
    await untilReady(running, 2)
    expect(leftBy(running)).to.deep.equal(['throws-for-ever: 1 timer'])
    const before = running.log.length
    await untilLine(running, 'An error escaped from what the plugin left running')
    expect((await ada.request('GET', '/api/chats')).status).to.equal(200)
    expect(before).to.be.at.most(running.log.length)
    expect(await stopped(running), running.log.join('\n')).to.equal(0)
    expect(leftBy(running)).to.have.length(1)
  })

  it('ends with the status of a failed start although they left something running', async () => {
    const plugins: readonly CarelessPlugin[] = [
      { id: 'leaves-intervals', setup: 'setInterval(never, 1000)' },
      { id: 'needs-intervals', setup: `await new Promise((resolve) => setTimeout(resolve, 1)); throw new Error('no luck')` },
    ]
    const failure = await start(plugins, { SERVICE_PLUGINS_REQUIRED: JSON.stringify(plugins.map(({ id }) => id)) }).catch(String)
    expect(failure).to.include('ended with 1 before it was ready').and.to.include('no luck')
    expect(failure).to.match(/Plugin “leaves-intervals” left running: 1 timer\./)
  })
})
