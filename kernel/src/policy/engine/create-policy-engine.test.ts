import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { rejection } from '../../database/testing/test-database.js'
import { readShippedFiles } from '../shipped-files.js'
import { shippedResources } from '../testing/policies-under-test.js'
import { createPolicyEngine, type PolicyEngine } from './create-policy-engine.js'
import type { PolicyFile } from './engine-jobs.js'

const sound = 'permit (principal, action, resource);'
/** Deeper than the engine's stack. */
const tooDeep = `permit (principal, action, resource) when { ${'('.repeat(4_000)}true${')'.repeat(4_000)} };`

describe('the policy engine in its thread', () => {
  let schema: PolicyFile
  let folder: string
  let engine: PolicyEngine

  before(async () => {
    schema = (await readShippedFiles(shippedResources())).schema
    folder = await mkdtemp(path.join(tmpdir(), 'policy-engine-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))
  afterEach(() => engine.close())

  const program = async (name: string, text: string): Promise<URL> => {
    const file = path.join(folder, `${name}.mjs`)
    await writeFile(file, text)
    return pathToFileURL(file)
  }
  const check = (text: string) => engine.run('check', { schema, text })

  it('fails the job that broke it, and does the others with a new engine', async () => {
    engine = createPolicyEngine()
    const [before, broken, after] = await Promise.all([check(sound), rejection(check(tooDeep)), check(sound)])
    expect([before.outcome, broken.code, after.outcome]).to.deep.equal(['sound', 'policy_engine_failed', 'sound'])
    expect(broken).to.have.nested.property('details.usable', true)
    expect((await check(sound)).outcome).to.equal('sound')
  })

  it('fails every job while it cannot be loaded, and does not try once for each', async () => {
    engine = createPolicyEngine({ program: await program('absent', 'import "./what-is-not-there.mjs"') })
    const errors = await Promise.all([rejection(check(sound)), rejection(check(sound)), rejection(check(sound))])
    for (const error of errors) expect(error).to.have.nested.property('details.usable', false)
    expect(new Set(errors.map(({ cause }) => cause)).size).to.equal(1)
  })

  it('gives up a job that takes too long', async () => {
    const hanging =
      'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => { for (;;); }); parentPort.postMessage("ready")'
    engine = createPolicyEngine({ program: await program('hanging', hanging), jobLimitMs: 200 })
    expect((await rejection(check(sound))).code).to.equal('policy_engine_failed')
  })

  it('fails a job when its thread ends by itself', async () => {
    const leaving =
      'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => process.exit(0)); parentPort.postMessage("ready")'
    engine = createPolicyEngine({ program: await program('leaving', leaving) })
    expect((await rejection(check(sound))).code).to.equal('policy_engine_failed')
  })

  it('ends its thread when there is nothing to do, and starts another when there is', async () => {
    const counting = `import { parentPort, threadId } from "node:worker_threads"
parentPort.on("message", () => parentPort.postMessage({ outcome: "refused", problems: [{ line: threadId, column: 1, message: "" }] }))`
    engine = createPolicyEngine({ program: await program('counting', counting), idleMs: 1 })
    const threadOf = async (): Promise<number | undefined> => {
      const answer = await check(sound)
      return answer.outcome === 'refused' ? answer.problems[0]?.line : undefined
    }
    const first = await threadOf()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await threadOf()).to.not.equal(first)
  })

  it('does nothing more once it is closed', async () => {
    engine = createPolicyEngine()
    const waiting = rejection(check(sound))
    await engine.close()
    expect((await waiting).code).to.equal('policy_engine_failed')
    expect((await rejection(check(sound))).code).to.equal('policy_engine_failed')
  })
})
