import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { runCommand } from '../support/command.js'

const password = 'a long enough password'

describe('agent-service sandbox', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  let ada: Api
  before(async () => {
    kernel = await createTestKernel()
    ada = await signUp(kernel.url, 'ada', password)
  })
  after(() => kernel?.stop())

  const run = async (...args: readonly string[]) => {
    const command = runCommand(kernel.folder, ['sandbox', ...args, '--url', kernel.url], {
      AGENT_SERVICE_USERNAME: 'ada',
      AGENT_SERVICE_PASSWORD: password,
    })
    return { status: await command.ended, output: command.output() }
  }

  it('shows what confines, lists processes and their output, and ends them', async () => {
    const status = await run('status')
    expect(status.status, status.output).to.equal(0)
    expect(status.output).to.match(/WAY OUT +STATE +BY +REASON\n.*files outside +(closed|partial|open)/)
    expect(JSON.parse((await run('status', '--json')).output))
      .to.include({ disabled: false })
      .and.to.have.property('machine')

    const [agent] = (await ada.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
    const opened = await ada.request('POST', '/api/sandbox/terminals', { agent_id: agent?.id })
    const id = String(opened.body['id'])
    expect((await run('processes', '--running')).output).to.match(new RegExp(`${id} .*terminal .*running +Terminal of assistant`))
    expect((await run('processes', '--all')).output).to.match(new RegExp(`${id} +ada +assistant +terminal`))
    expect((await run('output', id)).status).to.equal(0)
    expect((await run('stop', id)).output).to.include('The process has ended: stopped.')
    const unknown = await run('stop', 'unknown')
    expect(unknown.status).to.equal(1)
    expect(unknown.output).to.include('There is no such process.')
  })
})
