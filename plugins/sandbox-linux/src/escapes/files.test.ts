import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, copyFile, mkdir, readdir, readFile, realpath, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'
import { expect } from 'chai'
import { canary, describeEscapes, helper, isRoot, type RequestChange } from './support/escape-bench.js'
import { attempts } from './support/prelude.js'

const execute = promisify(execFile)
const digest = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')

describeEscapes('files outside', (bench) => {
  it('1: a secret by its path, over “..” and by a planted link stays closed', async () => {
    const { secret, closed } = bench()
    const code = `os.symlink('${secret}', 'planted'); os.symlink('../outside', 'folder')\n`
    await closed(
      code +
        attempts({
          ...{ path: `open('${secret}').read()`, dots: `open('../outside/secret.txt').read()`, link: `open('planted').read()` },
          ...{ folder: `open('folder/secret.txt').read()`, change: `write('${secret}', 'changed')`, list: `os.listdir('../outside')` },
          ...{ truncate: `os.truncate('${secret}', 0) or 'cut'`, remove: `os.remove('${secret}') or 'removed'` },
        }),
      { as: 'user' },
    )
  })

  it('2: a hard link into the workspace, and a rename out of it, are refused', async () => {
    const { secret, outside, workspace, closed, run } = bench()
    // The kernel lets nobody but its owner link a file, outside too.
    if (isRoot) await chown(secret, bench().user.uid, bench().user.gid)
    const code = `
for name in ('mine', 'other'): open(name, 'w').write('x')
tried('link', lambda: os.link('${secret}', 'hard') or open('hard').read())
tried('rename', lambda: os.rename('mine', '${outside}/moved') or 'moved')
tried('link out', lambda: os.link('/proc/self/fd/%d' % os.open('.', os.O_PATH), '${outside}/linked') or 'linked')
tried('exchange', lambda: libc.renameat2(-100, b'other', -100, b'${secret}', 2) == 0)
tried('folder', lambda: os.mkdir('${outside}/made') or 'made')`
    const { output } = await run(code)
    expect(output).not.to.include('OPEN')
    expect(await readdir(outside)).to.deep.equal(['secret.txt'])
    expect(await readFile(secret, 'utf8')).to.equal(canary)
    expect((await readdir(workspace)).sort()).to.deep.equal(['mine', 'other'])
    await closed(code, { as: 'user', leftOut: ['link out', ...(isRoot ? ['link', 'exchange'] : [])] })
  })

  it('3: the system and the own interpreter cannot be written', async () => {
    const places = ['/usr/bin', '/etc', '/bin', '/usr/lib/python3', '/lib']
    const listed = async () => Promise.all(places.map(async (each) => (await readdir(each)).length))
    const interpreter = await realpath('/usr/bin/python3')
    const before = [await listed(), await digest(interpreter), (await stat('/etc/passwd')).mtimeMs]
    await bench().run(`
for place in ['/usr/bin/escape', '/etc/escape', '/bin/escape', '/usr/lib/python3/escape', '/lib/escape', '/etc/passwd', os.path.realpath(sys.executable)]:
    tried(place, lambda: open(place, 'r+b' if os.path.exists(place) else 'wb').write(b'x'))`)
    expect([await listed(), await digest(interpreter), (await stat('/etc/passwd')).mtimeMs]).to.deep.equal(before)
  })

  it("4: another principal's workspace, the database, the configuration and a vault stay closed", async () => {
    const { folder, closed, defer } = bench()
    const places = ['users/ada/workspaces/other/notes.md', 'users/ada/vault/vault.kdbx', 'db/data.sqlite', 'config.yaml', 'log/service.log']
    const data = path.join(folder, 'data')
    defer(() => rm(data, { recursive: true, force: true }))
    for (const place of places) {
      const file = path.join(data, place)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, canary)
      await chmod(file, 0o666)
    }
    await execute('/bin/chmod', ['-R', 'a+rwX', data])
    await closed(
      places
        .map((place) => path.join(data, place))
        .map((file) => attempts({ [`read ${file}`]: `open('${file}').read()`, [`append to ${file}`]: `open('${file}', 'a').write('x')` }))
        .join('\n'),
      { as: 'user' },
    )
    for (const place of places) expect((await readFile(path.join(data, place), 'utf8')).startsWith(canary)).to.equal(true)
  })

  it('5: passwords, keys and homes stay closed', async () => {
    await bench().closed(
      attempts({
        shadow: `open('/etc/shadow').read()`,
        root: `os.listdir('/root')`,
        home: `os.listdir('/home')`,
        etc: `os.listdir('/etc/ssh') if os.path.exists('/etc/ssh') else open('/etc/hostname').read()`,
      }),
      { as: 'root' },
    )
    // Landlock shows the accounts of the machine, not their passwords.
    const { output } = await bench().run(`print(open('/etc/passwd').read())`)
    if (bench().mode === 'bubblewrap') expect(output.split('\n').filter(Boolean)).to.have.length(2)
  })

  it('6: the root and the folder of the first process, and of every other, lead nowhere', async () => {
    const { secret, closed } = bench()
    const victim = await bench().startVictim()
    await closed(
      attempts({
        ...{ first: `open('/proc/1/root${secret}').read()`, self: `open('/proc/self/root${secret}').read()` },
        ...{ above: `open('/proc/self/root/..${secret}').read()`, folder: `open('/proc/self/cwd/../outside/secret.txt').read()` },
        ...{ victim: `open('/proc/${victim.pid}/root${secret}').read()`, parent: `open('/proc/%d/root${secret}' % os.getppid()).read()` },
        task: `open('/proc/thread-self/root${secret}').read()`,
      }),
      // Nobody but root may follow the root of the first process.
      { as: 'user', leftOut: ['first', ...(isRoot ? ['parent'] : [])] },
    )
  })

  it('24: set-user-id programs give no rights', async () => {
    const { workspace, run, closed } = bench()
    const planted = path.join(workspace, 'id')
    const prepare = async () => {
      await copyFile('/usr/bin/id', planted)
      if (isRoot) await chown(planted, 0, 0)
      await chmod(planted, 0o4755)
    }
    await prepare()
    const { output } = await run(`
import shutil
print(subprocess.run(['./id', '-u'], capture_output=True, text=True).stdout.strip(), os.getuid())
shutil.copy('/bin/sh', 'shell')
os.chmod('shell', 0o6755)
tried('own', lambda: subprocess.run(['./shell', '-pc', 'id -u'], capture_output=True, text=True).stdout.strip() == '0')
tried('become', lambda: os.setuid(0) or 'root')
for program in ('/usr/bin/su', '/usr/bin/passwd', '/usr/bin/mount', '/bin/mount'):
    if os.path.exists(program): tried(program, lambda: subprocess.run([program, '--help'], capture_output=True, preexec_fn=None).returncode == 0 and 'Uid:\\t0' in open('/proc/self/status').read())`)
    const [effective, own] = output.split('\n')[0]?.split(' ') ?? []
    expect(effective, output).to.equal(own)
    expect(output).not.to.include('OPEN')
    if (!isRoot) return
    await prepare()
    const { stdout } = await execute('/usr/bin/setpriv', ['--reuid', '710000000', '--regid', '710000000', '--clear-groups', planted, '-u'])
    expect(stdout.trim(), 'without the sandbox it gives them').to.equal('0')
    await closed(attempts({ none: 'False' }), { as: 'user', leftOut: ['none'] })
  })

  it('29: devices are neither made nor opened', async () => {
    const devices = [
      '/dev/mem',
      '/dev/kmsg',
      '/dev/kvm',
      '/dev/fuse',
      '/dev/vda',
      '/dev/sda',
      '/dev/net/tun',
      '/dev/ptmx',
      '/dev/loop-control',
      '/dev/rtc0',
    ]
    const own = bench().mode === 'bubblewrap' ? ['/dev/ptmx'] : []
    const { output } = await bench().run(
      `${attempts({ make: `os.mknod('device', 0o20666, os.makedev(1, 1)) or 'made'`, block: `os.mknod('disk', 0o60666, os.makedev(8, 0)) or 'made'` })}
for each in ${JSON.stringify(devices.filter((each) => !own.includes(each)))}: tried(each, lambda: open(each, 'rb', buffering=0) and 'opened')
for each in ${JSON.stringify(devices.filter((each) => !own.includes(each)))}: tried('write ' + each, lambda: os.open(each, os.O_WRONLY))`,
    )
    expect(output).not.to.include('OPEN')
    if (!isRoot) return
    const made = `tried('make', lambda: os.mknod('device', 0o20666, os.makedev(1, 3)) or 'made')`
    expect(await bench().runUnconfined(made, { as: 'root' })).to.include('OPEN make')
  })

  it('38: what is no plain file does not stop the service from removing it', async () => {
    const { workspace, run } = bench()
    await run(`
os.mkfifo('pipe'); open('sparse', 'wb').truncate(1 << 40); os.symlink('/etc/passwd', 'link'); os.makedirs('a/b/c'); os.chmod('a/b', 0)
os.makedirs('/'.join(['deep'] * 200))`)
    expect((await readdir(workspace)).sort()).to.deep.equal(['a', 'deep', 'link', 'pipe', 'sparse'])
    if (!isRoot) await chmod(path.join(workspace, 'a', 'b'), 0o700)
    for (const name of await readdir(workspace)) await rm(path.join(workspace, name), { recursive: true, force: true })
    expect(await readdir(workspace)).to.deep.equal([])
    expect(existsSync('/etc/passwd')).to.equal(true)
  })

  it('39: folders that lead elsewhere, or whose names could mean something else, are refused at the start', async () => {
    const { folder, outside, workspace, run, defer } = bench()
    const link = path.join(folder, 'link')
    await symlink(outside, link)
    defer(() => rm(link))
    const files = (...write: string[]): RequestChange => ({ files: { read: [], write, deny: [] } })
    const changes: readonly RequestChange[] = [
      ...[files(link), { ...files(workspace), directory: link }, files(`${link}/inner`), files(`${workspace}/../outside`)],
      ...[
        files(`${workspace}\0`),
        files(`${workspace}\nx`),
        files(`${workspace}/\ud800`),
        files(`${workspace}//x`),
        files(`${folder}/absent`),
      ],
      { ...files(workspace), directory: `${workspace}/./` },
    ]
    for (const change of changes) {
      const error: unknown = await run(`write('${outside}/ran', 'x')`, change).then(
        () => undefined,
        (caught: unknown) => caught,
      )
      expect(sandboxRefusedError.isInstance(error), JSON.stringify(change)).to.equal(true)
    }
    expect(await readdir(outside)).to.deep.equal(['secret.txt'])
  })

  it('40: names and arguments that look like options are none', async () => {
    const { folder, run, collect, request, defer } = bench()
    for (const name of ['--bind', '-r', '--', '--write']) {
      const workspace = path.join(folder, name)
      await mkdir(workspace, { recursive: true })
      defer(() => rm(workspace, { recursive: true }))
      const change = { directory: workspace, files: { read: [], write: [workspace], deny: [] } }
      const { output, errors } = await run(`print(sys.argv[1:], os.getcwd())`, change)
      expect(output.trim(), errors).to.equal(`[] ${workspace}`)
      const echoed = await collect(request(['/bin/echo', name, '--', '--filter', '/dev/null'], change))
      expect(echoed.output).to.equal(`${name} -- --filter /dev/null\n`)
    }
  })

  it('42: programs that the workspace plants run inside alone', async () => {
    const { workspace, outside, run } = bench()
    const marker = path.join(outside, 'ran')
    const script = `#!/bin/sh\necho ran > '${marker}'\nexit 0\n`
    const planted = [
      '.git/hooks/pre-commit',
      '.bashrc',
      '.profile',
      'node_modules/.bin/npm',
      'bwrap',
      'confine',
      'setpriv',
      'sh',
      'python3',
      'ld.so',
    ]
    for (const place of planted) {
      await mkdir(path.join(workspace, path.dirname(place)), { recursive: true })
      await writeFile(path.join(workspace, place), script, { mode: 0o777 })
    }
    await writeFile(path.join(workspace, 'sitecustomize.py'), `open('${marker}', 'w')`)
    const environment = {
      PATH: `${workspace}:/usr/bin:/bin`,
      HOME: workspace,
      BASH_ENV: `${workspace}/.bashrc`,
      ENV: `${workspace}/.profile`,
      PYTHONPATH: workspace,
    }
    await run(`subprocess.run(['sh', '-c', 'bwrap; confine']); subprocess.run(['/bin/bash', '-lc', 'true'])`, { environment })
    expect(existsSync(marker), 'it ran outside').to.equal(false)
    await execute(path.join(workspace, 'bwrap'))
    expect(existsSync(marker), 'outside it would have left its mark').to.equal(true)
  })

  it('46: the program that confines cannot be overwritten through the running process', async () => {
    const before = await digest(helper)
    const code = `
for pid in ['self', '1', str(os.getppid())]:
    for flags in (os.O_RDWR, os.O_WRONLY | os.O_TRUNC): tried('exe of ' + pid, lambda: os.open('/proc/%s/exe' % pid, flags))
tried('helper', lambda: open('${helper}', 'r+b'))
tried('removed', lambda: os.remove('${helper}') or 'removed')
copy = os.memfd_create('copy')
os.write(copy, open('/usr/bin/id', 'rb').read())
tried('in memory', lambda: subprocess.run(['/proc/self/fd/%d' % copy, '-u'], pass_fds=[copy], capture_output=True, text=True).stdout.strip() == '0')`
    const { output, errors } = await bench().run(code)
    expect(output, errors).to.include('TRIED in memory').and.not.include('OPEN')
    expect(await digest(helper)).to.equal(before)
  })

  it('56: what starts the program inside has no more rights than the program, as its memory can be reached', async () => {
    const { output } = await bench().run(`
for pid in sorted({1, os.getppid()}):
    try: memory = open('/proc/%d/mem' % pid, 'r+b')
    except OSError: continue
    status = dict(line.split(':', 1) for line in open('/proc/%d/status' % pid) if ':' in line)
    print('reached', status['Seccomp'].strip(), status['NoNewPrivs'].strip(), int(status['CapEff'], 16), int(status['CapPrm'], 16))
print('done')`)
    for (const line of output.trim().split('\n').slice(0, -1)) expect(line).to.equal('reached 2 1 0 0')
    expect(output.trim().endsWith('done')).to.equal(true)
  })

  it('47: no open folder leads above the own ones', async () => {
    await bench().closed(
      `
for number in range(0, 64):
    for way in ('..', '../..', '../../..', '../../../..'): tried('descriptor %d' % number, lambda: open('/proc/self/fd/%d/%s${bench().secret}' % (number, way)).read())
tried('cwd of 1', lambda: open('/proc/1/cwd/../outside/secret.txt').read())
tried('folder', lambda: open('../outside/secret.txt', opener=lambda name, flags: os.open(name, flags, dir_fd=os.open('.', os.O_RDONLY))).read())`,
      { as: 'user', leftOut: [...Array.from({ length: 64 }, (_, number) => `descriptor ${number}`), 'cwd of 1'] },
    )
  })

  it('48: watches on folders outside see nothing', async () => {
    const { outside, closed } = bench()
    await closed(
      attempts({
        inotify: `call('inotify_add_watch', call('inotify_init1', 0), b'${outside}', 0x100)`,
        fanotify: `call('fanotify_mark', call('fanotify_init', 0x200, 0), 1, ctypes.c_uint64(0x100), -100, b'${outside}')`,
      }),
      { as: 'user' },
    )
  })

  it('49: a file is not reached by its handle', async () => {
    const { secret, closed } = bench()
    await closed(
      `
def handle():
    held = ctypes.create_string_buffer(struct.pack('II', 128, 0) + bytes(128))
    mount = ctypes.c_int()
    if call('name_to_handle_at', -100, b'${secret}', held, ctypes.byref(mount), 0) < 0: return False
    return os.read(call('open_by_handle_at', os.open('/', os.O_RDONLY), held, 0), 100)
tried('handle', handle)`,
      { as: 'root' },
    )
  })

  it('50: modes, owners, times and attributes outside are changed at most where the health says so', async () => {
    const { secret, outside, run, runUnconfined, driver, mode } = bench()
    if (isRoot) await chown(secret, bench().user.uid, bench().user.gid)
    const code = attempts({
      ...{ mode: `os.chmod('${secret}', 0o640) or 'set'`, times: `os.utime('${secret}', (1, 1)) or 'set'` },
      attribute: `os.setxattr('${secret}', 'user.escape', b'x') or 'set'`,
    })
    const before = await stat(secret)
    const { output } = await run(code)
    const now = await stat(secret)
    const isChanged = output.includes('OPEN')
    expect(now.mode !== before.mode || now.mtimeMs !== before.mtimeMs).to.equal(isChanged)
    const { files } = (await driver.health({ signal: new AbortController().signal })).fences
    if (mode === 'bubblewrap') expect([isChanged, files.state]).to.deep.equal([false, 'closed'])
    else expect([isChanged, /modes/.test(files.reason)]).to.deep.equal([true, true])
    expect(await runUnconfined(code, { as: 'user' }))
      .to.include('OPEN mode')
      .and.include('OPEN times')
    expect(await readdir(outside)).to.deep.equal(['secret.txt'])
    await truncate(secret, 0)
  })
})
