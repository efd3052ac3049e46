import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { canary, describeEscapes, isRoot, userOf } from './support/escape-bench.js'
import { attempts } from './support/prelude.js'

const inTerminal = fileURLToPath(new URL('support/sandbox-in-terminal.js', import.meta.url))
const survivor = fileURLToPath(new URL('support/sandbox-survivor.js', import.meta.url))

/** The processes of the machine whose command line has the text. */
async function processesWith(text: string): Promise<readonly number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const line = await readFile(`/proc/${name}/cmdline`, 'latin1').catch(() => '')
    if (line.includes(text)) found.push(Number(name))
  }
  return found
}

/** Waits until none is left, for at most so long. Returns those that are. */
async function leftAfter(text: string, limitMs: number): Promise<readonly number[]> {
  const until = Date.now() + limitMs
  for (;;) {
    const left = await processesWith(text)
    if (left.length === 0 || Date.now() > until) return left
    await delay(20)
  }
}

describeEscapes('processes outside', (bench) => {
  it('5: the process of another program of the same user stays closed: environment, memory, files, folders', async () => {
    const { pid } = await bench().startVictim()
    const names = ['environ', 'maps', 'mem', 'auxv', 'smaps', 'pagemap', 'io', 'syscall', 'stack']
    await bench().closed(
      [
        attempts(Object.fromEntries(names.map((name) => [name, `open('/proc/${pid}/${name}', 'rb').read(1) != b'' or True`]))),
        attempts({
          ...{
            cwd: `os.listdir('/proc/${pid}/cwd/')`,
            root: `os.listdir('/proc/${pid}/root/')`,
            files: `os.listdir('/proc/${pid}/map_files')`,
          },
          ...{ descriptor: `os.readlink('/proc/${pid}/fd/1')`, exe: `os.readlink('/proc/${pid}/exe')` },
          ...{ namespace: `os.open('/proc/${pid}/ns/net', os.O_RDONLY)`, score: `write('/proc/${pid}/oom_score_adj', '1000')` },
        }),
      ].join('\n'),
      { as: 'user', leftOut: ['mem', 'syscall', 'stack', 'files', ...(isRoot ? names : [])] },
    )
  })

  it('7: no process outside is seen, gets a signal, or is changed', async () => {
    const { closed, mode, run } = bench()
    const victim = await bench().startVictim()
    const { pid } = victim
    await closed(
      attempts({
        ...{
          probe: `os.kill(${pid}, 0) or 'there'`,
          signal: `os.kill(${pid}, 18) or 'sent'`,
          everyone: `os.kill(-1, 18) or os.getpid() == 0`,
        },
        ...{
          queued: `call('rt_sigqueueinfo', ${pid}, 10, struct.pack('iii', 10, 0, -1) + bytes(116))`,
          thread: `call('tgkill', ${pid}, ${pid}, 18)`,
        },
        ...{
          descriptor: `call('pidfd_send_signal', call('pidfd_open', ${pid}, 0), 18, 0, 0)`,
          group: `os.killpg(os.getpgid(${pid}), 18) or 'sent'`,
        },
        ...{
          priority: `os.setpriority(os.PRIO_PROCESS, ${pid}, 19) or 'set'`,
          everyones: `os.setpriority(os.PRIO_USER, os.getuid(), 19) or 'set'`,
        },
        ...{
          limits: `call('prlimit64', ${pid}, 7, struct.pack('QQ', 64, 64), 0)`,
          processors: `call('sched_setaffinity', ${pid}, 8, struct.pack('Q', 1))`,
        },
        ...{ scheduler: `call('sched_setscheduler', ${pid}, 3, struct.pack('i', 0))`, io: `call('ioprio_set', 1, ${pid}, (3 << 13))` },
      }),
      // The group is that of the tests themselves; “everyone” is judged by the victim.
      { as: 'user', leftOut: ['group', 'everyone', 'everyones'] },
    )
    const again = await bench().startVictim()
    const { output } = await run(`
for number in (18, 10, 23):
    for target in (${again.pid}, -${again.pid}, -1, 0):
        if number == 18 or target > 0:
            try: os.kill(target, number)
            except OSError: pass
print(sorted(int(name) for name in os.listdir('/proc') if name.isdigit()) if ${mode === 'bubblewrap' ? 'True' : 'False'} else [])`)
    expect(await again.signals(), 'a signal reached it').to.deep.equal([])
    if (mode === 'bubblewrap') expect(JSON.parse(output) as number[]).to.have.length.below(6)
  })

  it('8: no process outside is traced, and its memory is neither read nor written', async () => {
    const { pid } = await bench().startVictim()
    const read = `(lambda held: call('process_vm_readv', ${pid}, struct.pack('PN', ctypes.addressof(held), 16), 1, struct.pack('PN', int(sys.argv[1] if len(sys.argv) > 1 else '4096'), 16), 1, 0))(ctypes.create_string_buffer(16))`
    await bench().closed(
      attempts({
        ...{
          seize: `call('ptrace', 0x4206, ${pid}, 0, 0)`,
          attach: `call('ptrace', 16, ${pid}, 0, 0)`,
          compare: `call('kcmp', ${pid}, os.getpid(), 1, 0, 0)`,
        },
        ...{ read, write: read.replace('readv', 'writev'), take: `call('pidfd_getfd', call('pidfd_open', ${pid}, 0), 0, 0)` },
        ...{
          advise: `call('process_madvise', call('pidfd_open', ${pid}, 0), struct.pack('PN', 0, 4096), 1, 4, 0)`,
          reap: `call('process_mrelease', call('pidfd_open', ${pid}, 0), 0)`,
        },
      }),
      // Their addresses would have to be known; a process can be attached to once.
      { as: 'user', leftOut: ['read', 'write', 'advise', 'reap', 'attach'] },
    )
  })

  it('26: open files and terminals of the service are not inherited', async () => {
    const { spawn: spawnTerminal } = await import('node-pty')
    const files = await Promise.all(Array.from({ length: 50 }, () => open(bench().secret)))
    const terminals = Array.from({ length: 3 }, () => spawnTerminal('/bin/sleep', ['60'], { name: 'xterm' }))
    try {
      for (const terminal of [undefined, { columns: 80, rows: 24 }]) {
        const { output, errors } = await bench().run(
          `
listing = os.open('/proc/self/fd', os.O_RDONLY)
print(sorted(int(name) for name in os.listdir(listing) if os.path.lexists('/proc/self/fd/' + name) and int(name) != listing))`,
          terminal && { terminal },
        )
        expect(output.trim(), errors).to.equal('[0, 1, 2]')
      }
    } finally {
      for (const file of files) await file.close()
      for (const terminal of terminals) terminal.kill('SIGKILL')
    }
  })

  it('27: the environment is that of the request, and nothing of the service', async () => {
    process.env['SERVICE_SECRET_FOR_TEST'] = canary
    try {
      const environment = { PATH: '/usr/bin:/bin', NODE_OPTIONS: '--max-old-space-size=100' }
      const { output } = await bench().run(
        `
print(sorted(set(os.environ) - {'LC_CTYPE', 'TOKEN_FILE'}))
print(open(os.environ['TOKEN_FILE']).read(), oct(os.stat(os.environ['TOKEN_FILE']).st_mode & 0o777))
print([line for line in open('/proc/self/environ').read().split(chr(0)) if '${canary}' in line])
tried('parent', lambda: '${canary}' in open('/proc/%d/environ' % os.getppid()).read())
tried('first', lambda: '${canary}' in open('/proc/1/environ').read())`,
        { environment, token: { variable: 'TOKEN_FILE', text: 'the token' } },
      )
      expect(output.split('\n').slice(0, 3)).to.deep.equal(["['NODE_OPTIONS', 'PATH']", 'the token 0o400', '[]'])
      expect(output).not.to.include('OPEN')
    } finally {
      delete process.env['SERVICE_SECRET_FOR_TEST']
    }
  })

  it('28: what the environment plants is not used by what starts the program', async () => {
    const planted = path.join(bench().workspace, 'planted.so')
    await writeFile(planted, 'not a library')
    const { output, errors } = await bench().run(`print(sorted(set(os.environ) - {'LC_CTYPE'}))`, {
      environment: { LD_PRELOAD: planted, PATH: `${bench().workspace}:/usr/bin:/bin`, NODE_OPTIONS: '--require=./planted.js' },
    })
    expect(output.trim(), errors).to.equal("['LD_PRELOAD', 'NODE_OPTIONS', 'PATH']")
    // The loader complains once: for the program itself, inside.
    expect(errors.match(/cannot be preloaded/g)?.length).to.equal(1)
  })

  it('34: a process that ignores SIGTERM, daemons and a stopped child end at the time limit', async () => {
    const { driver, request } = bench()
    const marker = `mark-${process.pid}-${Date.now()}`
    const code = `
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        time.sleep(600)
    os._exit(0)
stopped = subprocess.Popen(['/bin/sleep', '600', '${marker}'][:2] + [], start_new_session=True)
os.kill(stopped.pid, signal.SIGSTOP)
print('ready', flush=True)
time.sleep(600)`
    const asked = request(['/usr/bin/python3', '-I', '-c', code, marker])
    const started = Date.now()
    for await (const event of driver.run(asked, { signal: AbortSignal.timeout(30_000) })) {
      if (event.type === 'output') {
        expect((await processesWith(marker)).length, 'nothing runs').to.be.above(0)
        await driver.send(asked.id, { kind: 'end', reason: 'timeout', graceMs: 200 }, { signal: AbortSignal.timeout(10_000) })
      }
      if (event.type === 'exit') expect([event.reason, event.left]).to.deep.equal(['timeout', 0])
    }
    expect(await processesWith(marker), 'left at the exit').to.deep.equal([])
    expect(Date.now() - started).to.be.below(20_000)
  })

  it('35: when the service is killed, nothing of a sandbox goes on', async () => {
    const marker = `mark-${process.pid}-${Date.now()}`
    const service = spawn(process.execPath, [survivor, bench().mode, bench().workspace, marker], { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines: string[] = []
    service.stdout.setEncoding('utf8')
    for await (const text of service.stdout) {
      lines.push(String(text))
      if (lines.join('').includes('ready')) break
    }
    const running = (await processesWith(marker)).filter((pid) => pid !== service.pid)
    expect(running.length, 'nothing runs').to.be.above(1)
    const ended = once(service, 'exit')
    service.kill('SIGKILL')
    await ended
    expect(await leftAfter(marker, 5_000)).to.deep.equal([])
  })

  it('36: a crash leaves no core, and no handler of the host gets it', async () => {
    const { exit } = await bench().run(`
import resource
print(resource.getrlimit(resource.RLIMIT_CORE))
tried('raise', lambda: resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20)) or 'raised')
os.abort()`)
    expect(exit.signal).to.equal('SIGABRT')
    expect((await readdir(bench().workspace)).filter((name) => name.startsWith('core'))).to.deep.equal([])
    const { output } = await bench().run(`
import resource
print(resource.getrlimit(resource.RLIMIT_CORE))`)
    expect(output.trim()).to.equal('(0, 0)')
  })

  it('60: a service that was started in a terminal does not share it', async () => {
    const { spawn: spawnTerminal } = await import('node-pty')
    const code = `
import os
for place in ('/dev/tty', '/proc/self/fd/0', '/proc/self/fd/2'):
    try: os.write(os.open(place, os.O_WRONLY), b'${canary}')
    except OSError: pass`
    const shown = async (mode: string): Promise<string> => {
      const terminal = spawnTerminal(process.execPath, [inTerminal, mode, bench().workspace, code], { name: 'xterm', cols: 200 })
      let text = ''
      terminal.onData((part) => {
        text += part
      })
      await new Promise((resolve) => terminal.onExit(resolve))
      expect(text).to.include('ended')
      return text
    }
    expect(await shown(bench().mode))
      .to.include('exit 0')
      .and.not.include(canary)
    expect(await shown('none'), 'without the sandbox it does').to.include(canary)
  })

  it('51: the peer of a stream is not reached by its process descriptor, nor by sent files', async () => {
    await bench().run('pass')
    const before = (await readdir('/proc/self/fd')).length
    const { output, errors } = await bench().run(`
import array
for number in (0, 1, 2):
    try: stream = socket.socket(fileno=os.dup(number))
    except OSError: continue
    def peer():
        descriptor = struct.unpack('i', stream.getsockopt(socket.SOL_SOCKET, 77, 4))[0]
        return call('pidfd_send_signal', descriptor, 0, 0, 0)
    tried('peer of %d' % number, peer)
    if number != 1: continue
    for _ in range(100):
        try: stream.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0, 1, 2]))])
        except OSError: pass
for number in (0, 1, 2): tried('reopened %d' % number, lambda: os.open('/proc/self/fd/%d' % number, os.O_RDWR))`)
    expect(output, errors).to.include('TRIED').and.not.include('OPEN')
    await eventually(async () => (await readdir('/proc/self/fd')).length <= before)
  })

  it('52: a signal is not sent by the owner of a file', async () => {
    const victim = await bench().startVictim()
    const code = `
def owned():
    first, second = os.pipe()
    fcntl.fcntl(first, 8, ${victim.pid})
    fcntl.fcntl(first, 10, 10)
    fcntl.fcntl(first, fcntl.F_SETFL, fcntl.fcntl(first, fcntl.F_GETFL) | os.O_ASYNC)
    os.write(second, b'x')
    return True
owned()`
    await bench().run(code)
    expect(await victim.signals(), 'a signal reached it').to.deep.equal([])
    await bench().runUnconfined(code, { as: 'user' })
    expect(await victim.signals(), 'without the sandbox it does').to.include('SIGUSR1')
  })

  it('53: another process of the same principal is out of reach of signals and tracing', async () => {
    const { driver, request, run } = bench()
    const sleeper = request([
      '/usr/bin/python3',
      '-I',
      '-c',
      `import signal, sys, time\nsignal.signal(18, lambda *_: print('caught', flush=True))\nprint('ready', flush=True)\nsys.stdin.read()\nprint('end')`,
    ])
    let finish = (): void => undefined
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const input = (async function* () {
      await finished
      yield Buffer.from('x')
    })()
    let text = ''
    for await (const event of driver.run(sleeper, { signal: AbortSignal.timeout(20_000), input })) {
      if (event.type !== 'output') continue
      text += Buffer.from(event.bytes).toString()
      if (text !== 'ready\n') continue
      const [pid] = (await processesWith('caught')).slice(-1)
      const { output } = await run(
        attempts({
          signal: `os.kill(${pid}, 18) or 'sent'`,
          trace: `call('ptrace', 0x4206, ${pid}, 0, 0)`,
          environment: `open('/proc/${pid}/environ').read()`,
        }),
      )
      expect(output).to.include('TRIED trace').and.not.include('OPEN')
      finish()
    }
    expect(text).to.equal('ready\nend\n')
    expect(userOf('escaping')?.uid).to.equal(isRoot ? bench().user.uid : undefined)
  })

  it('54: memory, queues and files that a machine shares are not shared with another principal', async () => {
    const { run, runUnconfined, closed, defer } = bench()
    const make = `
call('shmget', 0x5eed0001, 4096, 0o1666); call('semget', 0x5eed0002, 1, 0o1666); call('msgget', 0x5eed0003, 0o1666)
call('mq_open', b'escape', 0o102, 0o666, 0)
open('/dev/shm/escape', 'w').write('${canary}'); os.chmod('/dev/shm/escape', 0o666)`
    await runUnconfined(make, { as: 'user' })
    defer(() =>
      runUnconfined(
        `for each in ['ipcrm -M 0x5eed0001', 'ipcrm -S 0x5eed0002', 'ipcrm -Q 0x5eed0003']: subprocess.run(each.split(), capture_output=True)\nlibc.mq_unlink(b'/escape')\nos.path.exists('/dev/shm/escape') and os.remove('/dev/shm/escape')`,
        { as: 'user' },
      ),
    )
    const seen = attempts({
      ...{
        memory: `call('shmget', 0x5eed0001, 4096, 0)`,
        semaphore: `call('semget', 0x5eed0002, 1, 0)`,
        queue: `call('msgget', 0x5eed0003, 0)`,
      },
      ...{ posix: `call('mq_open', b'escape', 0, 0, 0)`, file: `open('/dev/shm/escape').read()` },
    })
    await closed(seen, { as: 'user' })
    // And what one of them makes, the other does not find.
    await run(`try:\n    exec('''${make}''')\nexcept OSError: pass`)
    const { output } = await run(seen, { principal: 'another' })
    expect(output).to.include('TRIED file').and.not.include('OPEN')
  })

  it('55: an endless list of arguments or of variables is refused, and the next command runs', async () => {
    const { collect, request, run } = bench()
    const long = 'x'.repeat(3_000_000)
    for (const asked of [
      request(['/bin/echo', long]),
      request(['/bin/echo', 'x'], { environment: { PATH: '/usr/bin:/bin', LONG: long } }),
    ]) {
      const came = await collect(asked).catch((error: unknown) => error)
      expect(came instanceof Error || (came as { exit: { code: number } }).exit.code !== 0).to.equal(true)
    }
    expect((await run(`print('next')`)).output).to.equal('next\n')
  })
})
