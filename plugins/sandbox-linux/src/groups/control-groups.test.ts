import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { openControlGroups } from './control-groups.js'
import { findFirst, findSecond } from './group-version.js'
import { openProcessGroup } from './process-group.js'
import { createIdentity, isAlive } from './service-identity.js'

/** The process that made this name has ended: no process has been started at that time. */
const deadIdentity = `${process.pid}-1-00000000`

/** Folders and files as the kernel has them; files that are written keep what was written. */
async function makeTree(top: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(top, name)), { recursive: true })
    await writeFile(path.join(top, name), text)
  }
}

describe('control groups on a made-up machine', () => {
  let mount: string
  const text = (...names: readonly string[]): Promise<string> => readFile(path.join(mount, ...names), 'utf8')

  beforeEach(async () => {
    mount = await mkdtemp(path.join(tmpdir(), 'groups-'))
  })
  afterEach(() => rm(mount, { recursive: true, force: true }))

  describe('of version 2', () => {
    const own = '0::/system.slice/agent.service\n'
    const service = 'system.slice/agent.service'
    const delegated = {
      [`${service}/cgroup.controllers`]: 'cpuset cpu io memory pids\n',
      [`${service}/cgroup.subtree_control`]: '',
      [`${service}/cgroup.procs`]: '11\n',
    }

    it('are used if memory and processes are delegated, after the service has moved into a group of its own', async () => {
      await makeTree(mount, delegated)
      const identity = createIdentity()
      const groups = await openControlGroups(identity, { mount, own })
      expect(groups?.version).to.equal('cgroup v2')
      expect(await text(service, 'agent-service', 'cgroup.procs')).to.equal('11')
      expect(await text(service, 'cgroup.subtree_control')).to.equal('+memory +pids +cpu')
      const root = path.join(service, 'agent-service-sandbox')
      // The kernel makes these with the folder.
      await makeTree(path.join(mount, root, identity, 'one'), { 'memory.swap.max': 'max', 'a/memory.oom.group': '0' })
      const limits = { memoryBytes: 200_000_000, totalMemoryBytes: 900_000_000, maxProcesses: 64 }
      const group = groups?.open('one', 'a', limits)
      expect(group?.folders).to.deep.equal([path.join(mount, root, identity, 'one', 'a')])
      expect(await text(root, identity, 'memory.max')).to.equal('900000000')
      expect(await text(root, identity, 'one', 'memory.max')).to.equal('200000000')
      expect(await text(root, identity, 'one', 'memory.swap.max')).to.match(/^0/)
      expect(await text(root, identity, 'one', 'pids.max')).to.equal('64')
      expect(await text(root, identity, 'one', 'a', 'memory.oom.group')).to.equal('1')
      for (const folder of [root, path.join(root, identity), path.join(root, identity, 'one')])
        expect(await text(folder, 'cgroup.subtree_control'), folder).to.equal('+memory +pids +cpu')
    })

    it('are found again by a service that has moved already', async () => {
      await makeTree(mount, delegated)
      const found = await findSecond({ mount, own: `0::/${service}/agent-service\n` })
      expect(found?.memory).to.equal(path.join(mount, service, 'agent-service-sandbox'))
    })

    for (const [what, files] of [
      ['no controller is delegated', { ...delegated, [`${service}/cgroup.controllers`]: 'cpu\n' }],
      ['there is no such group', {}],
    ] as const)
      it(`are not used if ${what}`, async () => {
        await makeTree(mount, files)
        expect(await openControlGroups(createIdentity(), { mount, own })).to.equal(undefined)
      })

    it('count what ended processes have used too, and kill all at once', async () => {
      await makeTree(mount, delegated)
      const version = await findSecond({ mount, own })
      if (version === undefined) throw new Error('Version 2 was not found.')
      await makeTree(path.join(version.memory, 'driver', 'one', 'a'), {
        'cpu.stat': 'usage_usec 1234567\nuser_usec 1000000\nsystem_usec 234567\n',
        'memory.current': '1000\n',
        'memory.peak': '2000\n',
        'memory.events': 'low 0\nhigh 0\nmax 3\noom 1\noom_kill 1\noom_group_kill 1\n',
        'pids.current': '3\n',
        'cgroup.kill': '',
        'cgroup.procs': '',
      })
      const group = openProcessGroup(version, 'driver/one/a')
      expect(group.read()).to.deep.equal({ cpuMs: 1_234.567, memoryBytes: 1_000, peakMemoryBytes: 2_000, processes: 3 })
      expect(group.ranOutOfMemory()).to.equal(true)
      await group.kill()
      expect(await text(path.relative(mount, path.join(version.memory, 'driver/one/a/cgroup.kill')))).to.equal('1')
    })
  })

  describe('of version 1', () => {
    const own = '5:memory:/box\n4:pids:/box\n3:cpu,cpuacct:/\n1:name=systemd:/init\n0::/\n'

    it('have a folder for each controller, where the service is in each', async () => {
      for (const folder of ['memory/box', 'pids/box', 'cpuacct', 'cpu']) await mkdir(path.join(mount, folder), { recursive: true })
      const version = await findFirst({ mount, own })
      expect(version?.roots.map((root) => path.relative(mount, root))).to.deep.equal([
        ...[
          'memory/box/agent-service-sandbox',
          'pids/box/agent-service-sandbox',
          'cpuacct/agent-service-sandbox',
          'cpu/agent-service-sandbox',
        ],
      ])
    })

    it('are not used if a controller is missing', async () => {
      expect(await openControlGroups(createIdentity(), { mount, own: '5:memory:/box\n' })).to.equal(undefined)
    })
  })

  it('of services that have ended are swept, those of living ones and foreign folders are not', async () => {
    for (const folder of ['memory', 'pids', 'cpuacct'])
      for (const driver of [deadIdentity, createIdentity(), 'foreign'])
        await mkdir(path.join(mount, folder, 'agent-service-sandbox', driver, 'one', 'a'), { recursive: true })
    const groups = await openControlGroups(createIdentity(), { mount, own: '5:memory:/\n4:pids:/\n3:cpuacct:/\n' })
    expect(await groups?.sweep()).to.equal(0)
    const left = await readdir(path.join(mount, 'memory', 'agent-service-sandbox'))
    expect(left.filter((each) => each === deadIdentity)).to.deep.equal([])
    expect(left).to.have.length(2)
  })
})

describe('control groups of this machine', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  /** Joins groups as the helper does, before it starts anything. */
  async function startIn(folders: readonly string[], script: string): Promise<ChildProcess> {
    const join = folders.map((folder) => `echo $$ > '${folder}/cgroup.procs'`).join(' && ')
    // On lines of their own: an `&` at the end would take the joining along into the background.
    const child = spawn('/bin/sh', ['-c', `set -e\n${join}\necho joined\n${script}`], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    await once(child.stdout, 'data')
    return child
  }

  it('end a tree with what has left its session, and are removed', async () => {
    const groups = await openControlGroups(createIdentity())
    // Without any the driver measures by `/proc`; its own tests show that everywhere.
    if (groups === undefined) return
    const group = groups.open('one', 'a', { maxProcesses: 100 })
    const child = await startIn(group.folders, 'setsid sleep 20 & setsid sleep 20 & wait')
    expect(group.read().processes).to.be.greaterThan(0)
    const exited = once(child, 'exit')
    await group.kill()
    await exited
    expect(await group.remove()).to.equal(0)
    await groups.forget('one')
    await groups.close()
  })

  it('of version 2 without controllers kill and count time all the same', async () => {
    const mount = '/sys/fs/cgroup/unified'
    const isWritable = await access(path.join(mount, 'cgroup.procs')).then(
      () => process.getuid?.() === 0,
      () => false,
    )
    // Only a machine with both versions has it there, and only root may make a group in it.
    if (!isWritable) return
    const root = path.join(mount, `agent-service-test-${process.pid}`)
    await mkdir(path.join(root, 'a'), { recursive: true })
    try {
      const files = (await findSecondFiles()) ?? expect.fail('The names of the files are missing.')
      const version = { title: 'cgroup v2', roots: [root], memory: root, cpu: root, processes: root, files, prepare: () => undefined }
      const group = openProcessGroup(version, 'a')
      const child = await startIn(
        group.folders,
        'setsid sleep 20 & setsid sleep 20 & i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; wait',
      )
      while (group.read().cpuMs === 0) await new Promise((resolve) => setImmediate(resolve))
      const exited = once(child, 'exit')
      await group.kill()
      await exited
      expect(await group.remove()).to.equal(0)
    } finally {
      await rm(root, { recursive: true, force: true }).catch(() => undefined)
    }
  })
})

/** The names of version 2, from a made-up machine. */
async function findSecondFiles() {
  const mount = await mkdtemp(path.join(tmpdir(), 'groups-'))
  await makeTree(mount, { 'cgroup.controllers': 'memory pids', 'cgroup.subtree_control': '', 'cgroup.procs': '' })
  const found = await findSecond({ mount, own: '0::/\n' })
  await rm(mount, { recursive: true })
  return found?.files
}

describe('the name of a service', () => {
  it('shows whether the service lives', () => {
    expect(isAlive(createIdentity())).to.equal(true)
    expect(isAlive(deadIdentity)).to.equal(false)
    expect(isAlive('4194303-99-00000000')).to.equal(false)
    for (const name of ['', 'foreign', '../x', `${process.pid}`]) expect(isAlive(name)).to.equal(undefined)
    expect(createIdentity()).not.to.equal(createIdentity())
  })
})
