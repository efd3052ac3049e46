import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { openPoliciesUnderTest } from '../testing/policies-under-test.js'
import { isRunning, policyProcessesOf, untilEnded } from '../testing/policy-processes.js'
import { tools } from '../testing/questions.js'
import { createPolicyEngine, type PolicyEngine } from './create-policy-engine.js'
import type { EngineJobKind } from './engine-jobs.js'

/** A process that asks its engine again and again, and says so once the first answer is there. */
const asking = `
const { createPolicyEngine } = await import(${JSON.stringify(new URL('./create-policy-engine.js', import.meta.url).href)})
const engine = createPolicyEngine()
const schema = { name: 'schema', text: 'entity User; action call appliesTo { principal: User, resource: User };' }
const ask = () => engine.run('check', { schema, text: 'permit (principal, action, resource);' })
process.stdout.write((await ask()).outcome)
process.stdin.resume()
while (process.argv[1] === 'busy') await ask()
`

describe('a process of the policy engine that is killed', () => {
  const question = { principal: { type: 'User', id: 'eve' }, action: 'use_tool' }
  const permit = 'permit (principal, action == Action::"use_tool", resource) when { resource.name like "*7" };'
  const expected = tools(200).map(({ id }) => id.endsWith('7'))

  /** Kills the process the moment in which it has a job of this kind, once. */
  const killing = (atKind: EngineJobKind): PolicyEngine & { readonly arm: (pid?: number) => void } => {
    const real = createPolicyEngine()
    let armed: { readonly pid: number | undefined } | undefined
    return {
      ...real,
      arm: (pid) => {
        armed = { pid }
      },
      async run(kind, given) {
        const answer = real.run(kind, given)
        if (!armed || kind !== atKind) return answer
        const [pid] = armed.pid === undefined ? await policyProcessesOf(process.pid) : [armed.pid]
        armed = undefined
        process.kill(pid ?? Number.NaN, 'SIGKILL')
        return answer
      },
    }
  }

  it('in the middle of decisions denies them, and is replaced for the next ones', async () => {
    const engine = killing('decide')
    const policies = await openPoliciesUnderTest({ stored: [permit], engine })
    try {
      const killed = new Set<number>()
      for (let round = 0; round < 3; round++) {
        expect(await policies.service.allowedOf(question, tools(200))).to.deep.equal(expected)
        policies.rolesChanged()
        const [pid = Number.NaN] = await policyProcessesOf(process.pid)
        killed.add(pid)
        engine.arm(pid)
        expect(await policies.service.allowedOf(question, tools(200))).to.not.include(true)
      }
      expect(await policies.service.allowedOf(question, tools(200))).to.deep.equal(expected)
      expect(killed.size).to.equal(3)
      expect(policies.failure()).to.equal(undefined)
    } finally {
      await policies.end()
    }
    expect(await policyProcessesOf(process.pid)).to.deep.equal([])
  })

  it('while it loads denies everything for a few seconds', async () => {
    const engine = killing('load')
    const policies = await openPoliciesUnderTest({ stored: [permit], engine })
    try {
      engine.arm()
      expect(await policies.service.allowedOf(question, tools(200))).to.not.include(true)
      expect(policies.failure()).to.equal('its process was ended by SIGKILL')
      await policies.clock.advance(5_001)
      expect(await policies.service.allowedOf(question, tools(200))).to.deep.equal(expected)
      expect(policies.failure()).to.equal(undefined)
    } finally {
      await policies.end()
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
