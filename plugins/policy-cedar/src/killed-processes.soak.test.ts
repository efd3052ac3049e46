import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  type EngineCall,
  interceptEngine,
  isRunning,
  openPoliciesUnderTest,
  policyProcessesOf,
  untilEnded,
} from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { createCedarEngine } from './cedar-engine.js'

const tools = Array.from({ length: 200 }, (_, index) => ({ type: 'Tool', id: `tool-${index}`, attributes: { name: `tool-${index}` } }))

/** A process that asks its engine again and again, and says so once the first answer is there. */
const asking = `
const { createCedarEngine } = await import(${JSON.stringify(new URL('./cedar-engine.js', import.meta.url).href)})
const { engine } = createCedarEngine()
const files = [{ name: 'schema.cedarschema', text: 'entity User; action call appliesTo { principal: User, resource: User };' }]
const { signal } = new AbortController()
const ask = () => engine.check({ files, text: 'permit (principal, action, resource);' }, { signal })
process.stdout.write((await ask()).outcome)
process.stdin.resume()
while (process.argv[1] === 'busy') await ask()
`

describe('a process of the policy engine that is killed', () => {
  const question = { principal: { type: 'User', id: 'eve' }, action: 'use_tool' }
  const permit = 'permit (principal, action == Action::"use_tool", resource) when { resource.name like "*7" };'
  const expected = tools.map(({ id }) => id.endsWith('7'))

  /** Kills the process the moment in which it has a call of this kind, once. */
  const killing = (atKind: EngineCall) => {
    const { engine: real, close } = createCedarEngine()
    let armed: { readonly pid: number | undefined } | undefined
    const engine = interceptEngine(real, async (kind, work) => {
      const answer = work()
      if (!armed || kind !== atKind) return answer
      const { pid = (await policyProcessesOf(process.pid))[0] ?? Number.NaN } = armed
      armed = undefined
      process.kill(pid, 'SIGKILL')
      return answer
    })
    const arm = (pid?: number): void => {
      armed = { pid }
    }
    return { engine, close, arm }
  }

  it('in the middle of decisions denies them, and is replaced for the next ones', async () => {
    const { engine, close, arm } = killing('decide')
    const policies = await openPoliciesUnderTest({ stored: [permit], engine })
    try {
      const killed = new Set<number>()
      for (let round = 0; round < 3; round++) {
        expect(await policies.service.allowedOf(question, tools)).to.deep.equal(expected)
        policies.rolesChanged()
        const [pid = Number.NaN] = await policyProcessesOf(process.pid)
        killed.add(pid)
        arm(pid)
        expect(await policies.service.allowedOf(question, tools)).to.not.include(true)
      }
      expect(await policies.service.allowedOf(question, tools)).to.deep.equal(expected)
      expect(killed.size).to.equal(3)
      expect(policies.failure()).to.equal(undefined)
    } finally {
      await policies.end()
      await close()
    }
    expect(await policyProcessesOf(process.pid)).to.deep.equal([])
  })

  it('while it loads denies everything for a few seconds', async () => {
    const { engine, close, arm } = killing('load')
    const policies = await openPoliciesUnderTest({ stored: [permit], engine })
    try {
      arm()
      expect(await policies.service.allowedOf(question, tools)).to.not.include(true)
      expect(policies.failure()).to.equal('its process was ended by SIGKILL')
      await policies.clock.advance(5_001)
      expect(await policies.service.allowedOf(question, tools)).to.deep.equal(expected)
      expect(policies.failure()).to.equal(undefined)
    } finally {
      await policies.end()
      await close()
    }
  })

  for (const state of ['idle', 'busy'])
    it(`is not left behind where whoever started it is killed (${state})`, async () => {
      const parent: ChildProcess = spawn(process.execPath, ['--input-type=module', '--eval', asking, state], {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: {},
      })
      const ended = once(parent, 'exit')
      // An open standard input keeps the idle one alive.
      const [said] = (await once(parent.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
      expect(String(said)).to.equal('sound')
      const [pid = Number.NaN] = await policyProcessesOf(parent.pid ?? Number.NaN)
      expect(await isRunning(pid)).to.equal(true)
      parent.kill('SIGKILL')
      await ended
      await untilEnded(pid)
    })
})
