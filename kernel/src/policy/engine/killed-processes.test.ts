import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { openPoliciesUnderTest, type PoliciesUnderTest } from '../testing/policies-under-test.js'
import { isRunning, policyProcessesOf, untilEnded } from '../testing/policy-processes.js'
import { tools } from '../testing/questions.js'

/** A process that asks its engine again and again, and says so once the first answer is there. */
const asking = `
const { createPolicyEngine } = await import(${JSON.stringify(new URL('./create-policy-engine.js', import.meta.url).href)})
const engine = createPolicyEngine()
const schema = { name: 'schema', text: 'entity User; action call appliesTo { principal: User, resource: User };' }
const ask = () => engine.run('check', { schema, text: 'permit (principal, action, resource);' })
process.stdout.write((await ask()).outcome)
while (process.argv[1] === 'busy') await ask()
`

describe('a process of the policy engine that is killed', () => {
  it('denies what it was asked, allows nothing else, and is replaced', async () => {
    const permit = 'permit (principal, action == Action::"use_tool", resource) when { resource.name like "*7" };'
    const policies: PoliciesUnderTest = await openPoliciesUnderTest({ stored: [permit] })
    const question = { principal: { type: 'User', id: 'eve' }, action: 'use_tool' }
    const expected = tools(200).map(({ id }) => id.endsWith('7'))
    try {
      const killed = new Set<number>()
      while (killed.size < 3) {
        const asked = policies.service.allowedOf(question, tools(200))
        let isAsked = true
        asked.finally(() => {
          isAsked = false
        })
        while (isAsked) {
          const [pid] = await policyProcessesOf(process.pid)
          if (pid === undefined || killed.has(pid)) continue
          process.kill(pid, 'SIGKILL')
          killed.add(pid)
        }
        ;(await asked).forEach((allowed, index) => {
          if (allowed) expect(expected[index]).to.equal(true)
        })
        policies.rolesChanged()
        await policies.clock.advance(5_001)
      }
      expect(await policies.service.allowedOf(question, tools(200))).to.deep.equal(expected)
      expect(policies.failure()).to.equal(undefined)
    } finally {
      await policies.end()
    }
    expect(await policyProcessesOf(process.pid)).to.deep.equal([])
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
