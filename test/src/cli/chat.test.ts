import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { runCommand } from '../support/command.js'
import { writeConfiguration } from '../support/configuration.js'
import { type EndlessUpstream, startEndlessUpstream } from '../support/endless-upstream.js'
import { controlC, controlD, openTerminal } from '../support/pseudo-terminal.js'
import { removeFolder } from '../support/service-process.js'

describe('agent-service chat', function () {
  this.timeout(40_000)
  let upstream: EndlessUpstream
  let service: TestKernel
  const person = { AGENT_SERVICE_USERNAME: 'ada', AGENT_SERVICE_PASSWORD: 'a long enough password' }

  before(async () => {
    upstream = await startEndlessUpstream()
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-chat-'))
    await writeConfiguration(folder, upstream.url)
    service = await createTestKernel({ folder, environment: { UPSTREAM_KEY: 'upstream-key-0123456789' } })
    await signUp(service.url, 'ada', person.AGENT_SERVICE_PASSWORD)
  })

  after(async () => {
    await service?.stop()
    await upstream?.close()
    if (service) await removeFolder(service.folder)
  })

  it('streams an answer; Ctrl-C stops the answer and not the program', async () => {
    const chat = openTerminal({ folder: service.folder, args: ['chat', '--url', service.url], environment: person })
    await chat.shows('Signed in as ada, chatting with Assistant.')
    await chat.prompts('you>')
    chat.press('Count for me.\r')
    await chat.shows('word1 word2 word3 word4 word5')
    chat.press(controlC)
    await chat.shows('(stopped)')
    await upstream.readerGone
    await chat.prompts('you>')
    chat.press('/exit\r')
    expect(await chat.ended).to.equal(0)
  })

  it('names the user who cannot sign in, and ends with 1', async () => {
    const chat = runCommand(service.folder, ['chat', '--url', service.url, '--message', 'Hi'], {
      ...person,
      AGENT_SERVICE_PASSWORD: 'not the password',
    })
    expect(await chat.ended).to.equal(1)
    expect(chat.output()).to.include('invalid_credentials')
    expect(chat.output()).not.to.include('    at ')
  })

  it('reports an unknown agent with the known ones', async () => {
    const chat = runCommand(service.folder, ['chat', '--url', service.url, '--agent', 'nobody', '--message', 'Hello'], person)
    expect(await chat.ended).to.equal(1)
    expect(chat.output()).to.include('You have no agent “nobody”. Your agents: assistant, developer, editor, researcher.')
  })

  it('works with a running service while the configuration file is invalid, and is listed in the help', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-chat-wrong-'))
    try {
      await mkdir(path.join(folder, 'data'))
      await writeFile(path.join(folder, 'data', 'config.yaml'), 'server:\n  port: many\n')
      const help = runCommand(folder, ['--help'])
      expect(await help.ended).to.equal(0)
      const [own = ''] = help.output().split('Commands of plugins:')
      expect(own).to.match(/chat \[options\]\s+chat with an agent/)
      const chat = openTerminal({ folder, args: ['chat', '--url', service.url], environment: person })
      await chat.prompts('you>')
      chat.press(controlD)
      expect(await chat.ended).to.equal(0)
    } finally {
      await removeFolder(folder)
    }
  })

  it('ends with 1 at SIGTERM', async () => {
    const chat = openTerminal({ folder: service.folder, args: ['chat', '--url', service.url], environment: person })
    await chat.prompts('you>')
    process.kill(chat.pid, 'SIGTERM')
    expect(await chat.ended).to.equal(1)
  })

  it('says how to start the service if none answers', async () => {
    const chat = runCommand(service.folder, ['chat', '--url', 'http://127.0.0.1:9', '--message', 'Hi'], person)
    expect(await chat.ended).to.equal(1)
    expect(chat.output()).to.match(/No service answers at http:\/\/127\.0\.0\.1:9 .*agent-service start/)
  })
})
