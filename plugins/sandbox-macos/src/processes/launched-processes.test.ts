import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SandboxRequest } from '@agent-service/sdk/contracts/sandbox-driver'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type DriverBench, openDriverBench } from '../test-support/driver-bench.js'
import { folderPrefix, removeLeftFolders } from './left-folders.js'
import { readProcessTable } from './process-table.js'

const network = (change: Partial<SandboxRequest['network']>): Pick<SandboxRequest, 'network'> => ({
  network: { access: 'off', destinations: [], forward: [], expose: [], ...change },
})

/** A port that is free now, below those that the system gives to connections. */
async function findFreePort(): Promise<number> {
  for (;;) {
    const server = createServer()
    const port = randomInt(10_000, 32_000)
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

describe('processes of the macOS driver', () => {
  let bench: DriverBench
  beforeEach(async () => {
    bench = await openDriverBench()
  })
  afterEach(() => bench.close())

  const failureOf = async (request: SandboxRequest): Promise<{ readonly code?: string; readonly message: string }> =>
    bench.run(request).then(
      () => ({ message: 'it ran' }),
      (error: unknown) => error as { readonly code?: string; readonly message: string },
    )
  const untilGone = (pid: number) => eventually(async () => !(await readProcessTable()).some((each) => each.pid === pid))

  it('run under a profile of their own files and ports', async () => {
    const { workspace, request, run, standIn } = bench
    const port = await findFreePort()
    const { exit } = await run(request('exit 3', network({ expose: [port] })))
    expect([exit.reason, exit.code, exit.left]).to.deep.equal(['exit', 3, 0])
    const profile = await standIn.lastProfile()
    expect(profile).to.include(`(allow network-bind network-inbound\n  (local tcp "localhost:${port}"))`)
    expect(profile.split(`workspace")`).length).to.be.greaterThan(2)
    expect(profile).to.include(path.basename(path.dirname(workspace)))
    expect(profile).to.not.include('TERMINAL')
  })

  it('have the limits of files, and no core dumps', async () => {
    const { output } = await bench.run(
      bench.request('ulimit -n; ulimit -f; ulimit -c', { limits: { maxOpenFiles: 77, maxFileBytes: 10_000 } }),
    )
    expect(output).to.equal('77\n20\n0\n')
  })

  it('get variables with quotes and newlines as they are, and cannot end the list with them', async () => {
    const value = `a'b"c\n'; echo escaped; '$(echo no)\\`
    const { output } = await bench.run(
      bench.request('printf %s "$ODD"; env | grep -c "^LC_ALL\\|^TERMINAL" ', { environment: { PATH: '/usr/bin:/bin', ODD: value } }),
    )
    expect(output).to.equal(`${value}0\n`)
  })

  it('keep their environment and token out of argument lists, in files of the service alone', async () => {
    const { request, run } = bench
    const script = 'ps -axww -o args=; stat -c %a "$TOKEN" "$(dirname "$TOKEN")"; ls "$(dirname "$TOKEN")"'
    const secret = 'hidden-from-lists'
    const { output } = await run(
      request(script, { environment: { PATH: '/usr/bin:/bin', SECRET: secret }, token: { variable: 'TOKEN', text: secret } }),
    )
    expect(output).to.not.include(secret)
    expect(output).to.match(/400\n700\nenvironment\ntoken\n$/)
  })

  it('are ended with what left the group and lost its parent, once it was measured', async () => {
    const { driver, request, workspace } = bench
    const signal = AbortSignal.timeout(30_000)
    const asked = request(
      'setsid sh -c "echo \\$\\$ > pid; exec sleep 1000" & until [ -s pid ]; do sleep 0.02; done; echo ready; sleep 1000',
    )
    let left = 0
    for await (const event of driver.run(asked, { signal })) {
      if (event.type === 'output') {
        left = Number(await readFile(path.join(workspace, 'pid'), 'utf8'))
        // The shell, what left it, and its own last program, which may take a moment to be there.
        while (((await driver.measure({ signal }))[0]?.processes ?? 0) < 3) signal.throwIfAborted()
        await driver.send(asked.id, { kind: 'end', reason: 'timeout', graceMs: 0 }, { signal })
      }
      if (event.type === 'exit') expect([event.reason, event.left]).to.deep.equal(['timeout', 0])
    }
    expect(left).to.be.greaterThan(0)
    expect((await readProcessTable()).map(({ pid }) => pid)).to.not.include(left)
  })

  it('reach a forwarded port, which two may share and none may take for something else', async () => {
    const server = createServer((socket) => socket.end('from the service')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const to = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
    const ask = (port: number): readonly [string, ...string[]] => [
      process.execPath,
      '-e',
      `require('node:net').connect(${port}, '127.0.0.1').on('error', (error) => console.log(error.code)).pipe(process.stdout)`,
    ]
    const { request, run, driver } = bench
    try {
      const taken = await findFreePort()
      const forward = network({ forward: [{ port: taken, to }] })
      const signal = AbortSignal.timeout(30_000)
      const first = request('echo ready; read line', forward)
      for await (const event of driver.run(first, { signal, input: never(signal) })) {
        if (event.type !== 'output') continue
        expect((await run({ ...request('', forward), command: ask(taken) })).output).to.equal('from the service')
        const other = await failureOf(request('exit 0', network({ forward: [{ port: taken, to: { host: '127.0.0.1', port: 1 } }] })))
        expect([other.code, other.message]).to.satisfy(
          ([code, message]: string[]) => code === 'sandbox_refused' && message?.includes(`${taken}`),
        )
        break
      }
      // The port that the service listens on itself needs nothing between.
      expect((await run({ ...request('', network({ forward: [{ port: to.port, to }] })), command: ask(to.port) })).output).to.equal(
        'from the service',
      )
      expect((await run({ ...request(''), command: ask(taken) })).output).to.equal('ECONNREFUSED\n')
      const inUse = await failureOf(request('exit 0', network({ expose: [to.port] })))
      expect(inUse.code).to.equal('sandbox_refused')
    } finally {
      server.close()
    }
  })

  it('reach ports that processes of their principal offer, not those of another one', async () => {
    const { driver, request, run, standIn } = bench
    const signal = AbortSignal.timeout(30_000)
    const port = await findFreePort()
    const server = request('echo ready; read line', network({ expose: [port] }))
    for await (const event of driver.run(server, { signal, input: never(signal) })) {
      if (event.type === 'started') expect(event.exposed).to.deep.equal([{ port, host: '127.0.0.1', hostPort: port }])
      if (event.type !== 'output') continue
      await run(request('exit 0'))
      expect(await standIn.lastProfile()).to.include(`(allow network-outbound\n  (remote tcp "localhost:${port}"))`)
      await run(request('exit 0', { principal: 'agent-two' }))
      expect(await standIn.lastProfile()).to.not.include(`${port}`)
      expect((await failureOf(request('exit 0', network({ expose: [port] })))).code).to.equal('sandbox_refused')
      break
    }
  })

  it('are refused the network, paths over links, missing paths and options for programs', async () => {
    const { request, workspace } = bench
    await symlink('/etc', path.join(workspace, 'link'))
    const list = (path: string) => ({ files: { read: [], write: [workspace, path], deny: [] } })
    const cases: readonly (readonly [SandboxRequest, RegExp])[] = [
      [request('exit 0', network({ access: 'on' })), /can only be off on macOS/],
      [request('exit 0', network({ access: 'some', destinations: [{ host: 'example.org' }] })), /can only be off on macOS/],
      [request('exit 0', list(path.join(workspace, 'link'))), /is \/etc on the disk/],
      [request('exit 0', list(path.join(workspace, 'missing'))), /does not exist/],
      [{ ...request('exit 0'), command: ['-p', '(version 1)'] }, /must not begin with/],
    ]
    for (const [asked, message] of cases) {
      const failure = await failureOf(asked)
      expect(failure.code, failure.message).to.equal('sandbox_refused')
      expect(failure.message).to.match(message)
    }
  })

  it('leave nothing in the folder of the driver', async () => {
    const { request, run } = bench
    const { output } = await run(request('dirname "$(dirname "$TOKEN")"', { token: { variable: 'TOKEN', text: 'x' } }))
    expect(await readdir(output.trim())).to.deep.equal([])
  })

  it('end with the service, however it dies, and its folder goes', async () => {
    const program = `
      import { openDriverBench } from ${JSON.stringify(new URL('../test-support/driver-bench.js', import.meta.url).href)}
      const { driver, request } = await openDriverBench()
      const asked = request('echo "$$ $TOKEN"; trap "" HUP TERM; sleep 1000', { token: { variable: 'TOKEN', text: 'x' } })
      for await (const event of driver.run(asked, { signal: new AbortController().signal }))
        if (event.type === 'output') process.stdout.write(event.bytes)`
    const temporary = await mkdtemp(path.join(tmpdir(), 'killed-service-'))
    const service = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TMPDIR: temporary },
    })
    const [chunk] = (await once(service.stdout, 'data')) as [Buffer]
    const [pid = '', token = ''] = chunk.toString('utf8').trim().split(' ')
    service.kill('SIGKILL')
    await once(service, 'exit')
    await untilGone(Number(pid))
    const folder = path.dirname(path.dirname(token))
    expect(path.basename(folder)).to.match(new RegExp(`^${folderPrefix}${service.pid}-`))
    await eventually(async () => !(await exists(folder)))
    await rm(temporary, { recursive: true })
  })

  it('have the folders of dead services removed, and only these', async () => {
    const parent = await mkdtemp(path.join(tmpdir(), 'left-folders-'))
    const dead = spawn('/bin/true')
    await once(dead, 'exit')
    const names = [`${folderPrefix}${process.pid}-a`, `${folderPrefix}${dead.pid}-b`, `${folderPrefix}x-c`, `other-${dead.pid}-d`]
    for (const name of names) await mkdir(path.join(parent, name))
    await removeLeftFolders(parent)
    expect((await readdir(parent)).sort()).to.deep.equal(names.filter((name) => !name.endsWith('-b')).sort())
    await rm(parent, { recursive: true })
  })
})

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

/** An input that never comes. */
const never = (signal: AbortSignal): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({
    async next() {
      await once(signal, 'abort')
      return { done: true, value: undefined }
    },
  }),
})
