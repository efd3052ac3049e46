import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { healthOf } from './health.js'
import { examineMachine } from './machine/machine.js'
import { createMacosDriver } from './macos-driver.js'
import { findSystemPaths } from './profile/system-paths.js'
import { closedEverywhere } from './test-support/examined.js'
import { createStandIn } from './test-support/stand-in.js'

const { signal } = new AbortController()

describe('the health of the macOS driver', () => {
  it('confines nothing on another system, and runs nothing there', async () => {
    const { driver } = createMacosDriver({ platform: 'linux' })
    const health = await driver.health({ signal })
    expect([health.confines, health.mode, health.fences.files.state]).to.deep.equal([false, 'none', 'open'])
    expect(health.fences.files.reason).to.equal('Nothing confines here: this driver is for macOS, and this is linux.')
  })

  it('says which program a Mac lacks, and what it printed if it fails', async () => {
    const examine = (sandboxExec: string) =>
      examineMachine({ platform: 'darwin', launcher: { shell: '/bin/dash', sandboxExec }, system: findSystemPaths() })
    expect(await examine('/missing/sandbox-exec')).to.deep.equal({ missing: '/missing/sandbox-exec is missing, which is a part of macOS' })
    expect(await examine('/usr/bin/false'))
      .to.have.property('missing')
      .that.matches(/^\/usr\/bin\/false does not run a program here/)
    const failing = path.join(await mkdtemp(path.join(tmpdir(), 'failing-')), 'sandbox-exec')
    await writeFile(failing, '#!/bin/sh\necho "sandbox-exec: unbound variable: file-odd" >&2\nexit 65\n', { mode: 0o755 })
    expect(await examine(failing)).to.deep.equal({
      missing: `${failing} does not run a program here: sandbox-exec: unbound variable: file-odd`,
    })
    await rm(path.dirname(failing), { recursive: true })
  })

  it('finds by trying that nothing is closed under a program that does not confine', async () => {
    const standIn = await createStandIn()
    try {
      const machine = await examineMachine({ platform: 'darwin', launcher: standIn.launcher, system: findSystemPaths() })
      expect(machine).to.deep.equal({
        ...{ writesInside: true, reachesForwarded: true },
        ...{ readsOutside: true, writesOutside: true, signalsService: true, reachesLoopback: true },
      })
      const { driver } = createMacosDriver({ platform: 'darwin', launcher: standIn.launcher })
      const { confines, fences } = await driver.health({ signal })
      expect([confines, fences.files.state, fences.processes.state, fences.network.state]).to.deep.equal([false, 'open', 'open', 'open'])
    } finally {
      await standIn.remove()
    }
  })

  it('states what a Mac cannot keep although sandbox-exec confines', () => {
    const { confines, mode, fences } = healthOf(closedEverywhere)
    expect([confines, mode]).to.deep.equal([true, 'sandbox-exec'])
    expect(Object.entries(fences).map(([name, { state }]) => [name, state])).to.deep.equal([
      ['files', 'closed'],
      ['processes', 'partial'],
      ['network', 'partial'],
      ['destinations', 'open'],
      ['limits', 'partial'],
    ])
  })

  for (const [change, fence, confines] of [
    [{ readsOutside: true }, 'files', false],
    [{ writesOutside: true }, 'files', false],
    [{ signalsService: true }, 'processes', false],
    [{ reachesLoopback: true }, 'network', true],
  ] as const)
    it(`calls the fence of ${fence} open with ${JSON.stringify(change)}`, () => {
      const health = healthOf({ ...closedEverywhere, ...change })
      expect([health.fences[fence].state, health.confines]).to.deep.equal(['open', confines])
    })
})
