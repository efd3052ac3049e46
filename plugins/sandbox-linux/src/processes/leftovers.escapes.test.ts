import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { closeTestDrivers, createTestDriver } from '../test-support/create-test-driver.js'
import { type SandboxMode, sandboxModes } from '../test-support/modes.js'
import { requestOf, runInDriver } from '../test-support/run-in-driver.js'
import { readProcessTable, treeOf } from './process-table.js'

const program = fileURLToPath(new URL('../test-support/run-until-killed.js', import.meta.url))
/** Beats, detached from everything, until it is killed; half a minute at most. */
const beating =
  'trap "" TERM INT HUP; (setsid sh -c \'for i in $(seq 600); do echo beat >> beats; sleep 0.05; done\' &) ; until [ -s beats ]; do sleep 0.02; done; echo "ready $$"; sleep 30'

for (const mode of Object.keys(sandboxModes) as SandboxMode[])
  describe(`what is left of processes by ${mode}`, function () {
    this.timeout(30_000)
    let top: string
    let place: string
    const { signal } = new AbortController()
    const services: ChildProcess[] = []

    beforeEach(async () => {
      top = await realpath(await mkdtemp(path.join(tmpdir(), 'leftovers-')))
      place = path.join(top, 'place')
    })
    afterEach(async () => {
      for (const each of services.splice(0)) {
        if (each.signalCode !== null) continue
        const exited = once(each, 'exit')
        each.kill('SIGKILL')
        await exited
      }
      await createTestDriver({ places: [place] }).driver.sweep({ signal })
      await closeTestDrivers()
      await rm(top, { recursive: true, force: true })
    })

    const size = async (): Promise<number> => (await readFile(path.join(top, 'beats'))).length
    /** Resolves when nothing beats; fails after two seconds. */
    const untilSilent = async (): Promise<void> => {
      const until = Date.now() + 2_000
      for (let before = -1; before !== (await size()); await delay(150)) {
        expect(Date.now()).to.be.below(until, 'it still beats')
        before = await size()
      }
    }
    const startService = async (): Promise<ChildProcess> => {
      const service = spawn(process.execPath, [program, mode, place, top, beating], { stdio: ['ignore', 'pipe', 'inherit'] })
      services.push(service)
      let text = ''
      service.stdout?.on('data', (data: Buffer) => {
        text += data.toString('utf8')
      })
      while (!text.includes('ready')) await once(service.stdout ?? service, 'data')
      return service
    }
    /** The launchers of the service: everything between it and the program. */
    const launchersOf = async (service: ChildProcess): Promise<readonly number[]> =>
      treeOf(await readProcessTable(), service.pid ?? 0)
        .filter(({ depth }) => depth === 1 || depth === 2)
        .map(({ pid }) => pid)

    it('does not outlive a service that is killed, and its token is swept', async () => {
      const service = await startService()
      service.kill('SIGKILL')
      await once(service, 'exit')
      await untilSilent()
      const [identity = ''] = await readdir(place)
      const [run = ''] = await readdir(path.join(place, identity))
      expect(await readFile(path.join(place, identity, run, 'token'), 'utf8')).to.equal('the token of a dead service')
      const { driver } = createTestDriver({ examined: sandboxModes[mode], places: [place] })
      await driver.sweep({ signal })
      expect(await readdir(place)).to.deep.equal([])
      expect(await driver.sweep({ signal })).to.deep.equal({ processes: 0 })
    })

    it('is ended by the sweep if its launchers were stopped when the service was killed', async () => {
      const service = await startService()
      for (const pid of await launchersOf(service)) process.kill(pid, 'SIGSTOP')
      service.kill('SIGKILL')
      await once(service, 'exit')
      const { driver } = createTestDriver({ examined: sandboxModes[mode], places: [place] })
      await driver.sweep({ signal })
      await untilSilent()
      expect(await readdir(place)).to.deep.equal([])
    })

    it('is not swept while its service lives', async () => {
      const service = await startService()
      const before = await size()
      const { driver } = createTestDriver({ examined: sandboxModes[mode], places: [place] })
      expect(await driver.sweep({ signal })).to.deep.equal({ processes: 0 })
      expect((await readdir(place)).length).to.equal(1)
      await eventually(async () => (await size()) > before)
      expect(service.exitCode).to.equal(null)
    })

    for (const which of [0, 1])
      it(`is ended if the ${which === 0 ? 'outer' : 'inner'} launcher is killed, and none is reported as left`, async () => {
        const { driver } = createTestDriver({ examined: sandboxModes[mode], places: [place] })
        const { exit } = await runInDriver(driver, requestOf(top, beating), {
          async onOutput(text) {
            if (!text.includes('ready')) return
            const marked: number[] = []
            for (const { pid, depth } of treeOf(await readProcessTable(), process.pid)) {
              const line = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')
              if (depth === which + 1 && line.includes(`--environment\0${place}/`)) marked.push(pid)
            }
            expect(marked.length).to.equal(1)
            for (const pid of marked) process.kill(pid, 'SIGKILL')
          },
        })
        expect(exit.left).to.equal(0)
        expect(exit.code === 0).to.equal(false)
        const before = await size()
        await delay(300)
        expect(await size()).to.equal(before)
      })
  })
