import { readFile } from 'node:fs/promises'
import { agentCredentialsService, type OpenedCredential } from '@agent-service/sdk/services/agent-credentials'
import { createFakeAgentCredentials, type FakeAgentCredentials } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { readMasked } from '../routes/masked-output.js'
import { testPrincipal } from '../test-support/sandbox-under-test.js'
import { startTools, type ToolsUnderTest } from '../test-support/tools-under-test.js'
import { createProcessMasks } from './process-masks.js'

const agent = { userId: testPrincipal.userId, agentId: testPrincipal.id }
const secret = 's3cret-4711-value'
const key = '-----BEGIN KEY-----\nMIIBAAKCAQEA0123\n-----END KEY-----\n'
const github: OpenedCredential = {
  name: 'github',
  fields: [
    { name: 'token', secret: true, variable: 'GITHUB_TOKEN', as: 'value', value: secret },
    { name: 'user', secret: false, variable: 'GITHUB_USER', as: 'value', value: 'ada' },
    { name: 'note', secret: true, variable: null, as: 'value', value: 'not for processes' },
  ],
}
const server: OpenedCredential = {
  name: 'server',
  fields: [{ name: 'key', secret: true, variable: 'SSH_KEY_FILE', as: 'file', value: key }],
}

describe('the credentials of a program', () => {
  let under: ToolsUnderTest
  let credentials: FakeAgentCredentials

  beforeEach(async () => {
    credentials = createFakeAgentCredentials()
    under = await startTools({ services: [[agentCredentialsService, credentials]] })
    credentials.grant(agent, github)
    credentials.grant(agent, server)
  })
  afterEach(() => under.stop())

  it('stand in its environment, only for the call that names them, and are masked in its output', async () => {
    const command = 'echo "${#GITHUB_TOKEN} $GITHUB_USER $GITHUB_TOKEN"; env | grep -c "not for"'
    const { text } = await under.call('shell', { command, credentials: ['github'] })
    expect(text).to.match(/\n17 ada \[credential github\]\n0$/)
    expect(under.output()).to.equal('17 ada [credential github]\n0\n')
    expect(credentials.opened).to.deep.equal([
      {
        names: ['github'],
        use: { ...agent, kind: 'process', target: command, chatId: 'chat-1', runId: 'run-1', callId: 'call-1' },
      },
    ])
    expect((await under.call('shell', { command: 'echo "<$GITHUB_TOKEN>"' })).text).to.match(/\n<>$/)
  })

  it('stand in files that only it can read and that are gone afterwards', async () => {
    const command = 'echo "$SSH_KEY_FILE"; ls -l "$SSH_KEY_FILE" | cut -c 1-10; wc -c < "$SSH_KEY_FILE"; cp "$SSH_KEY_FILE" copy'
    const { text } = await under.call('shell', { command, credentials: ['server'] })
    const [file = '', rights, length] = text.split('\n').slice(1)
    expect([rights, length]).to.deep.equal(['-r--------', String(key.length)])
    expect(await readFile(`${under.workspace}/copy`, 'utf8')).to.equal(key)
    expect(
      await readFile(file).then(
        () => 'there',
        (error: NodeJS.ErrnoException) => error.code,
      ),
    ).to.equal('ENOENT')
  })

  it('reach Python and Node.js, and never the arguments of a process', async () => {
    const { text } = await under.call('node', {
      code: 'console.log(process.env.GITHUB_TOKEN.length, JSON.stringify(process.argv).includes(process.env.GITHUB_TOKEN))',
      credentials: ['github'],
    })
    expect(text).to.match(/\n17 false$/)
    const python = await under.call('python', { code: 'import os; print(len(os.environ["GITHUB_TOKEN"]))', credentials: ['github'] })
    expect(python.text).to.match(/\n17$|Python is not installed/)
  })

  it('are refused with what is granted', async () => {
    const { text, isError } = await under.call('shell', { command: 'true', credentials: ['gitlab'] })
    expect(isError).to.equal(true)
    expect(text).to.include('“gitlab”').and.to.include('github, server')
    credentials.revoke(agent, 'github')
    expect((await under.call('shell', { command: 'true', credentials: ['github'] })).text).to.include('Granted are: server.')
    expect(credentials.opened).to.deep.equal([])
  })

  it('are not opened if one has no variable, or two have the same', async () => {
    credentials.grant(agent, { name: 'plain', fields: [{ name: 'token', secret: true, variable: null, as: 'value', value: secret }] })
    credentials.grant(agent, { ...github, name: 'other' })
    expect((await under.call('shell', { command: 'true', credentials: ['plain'] })).text).to.match(/not bound to any variable/)
    expect((await under.call('shell', { command: 'true', credentials: ['github', 'other'] })).text).to.match(
      /both bound to the variable GITHUB_TOKEN/,
    )
    expect(credentials.opened).to.deep.equal([])
  })

  it('cannot replace what is the service’s own', async () => {
    const [field] = server.fields
    if (field === undefined) throw new Error('It has a field.')
    credentials.grant(agent, { name: 'path', fields: [{ ...field, variable: 'LD_PRELOAD' }] })
    const { text, isError } = await under.call('shell', { command: 'true', credentials: ['path'] })
    expect([isError, text]).to.deep.equal([true, "The process cannot be started: the variable LD_PRELOAD is the service's own."])
  })

  it('are not offered where agents have none', async () => {
    const without = await startTools()
    try {
      expect(without.tool('shell').parameters).to.not.have.nested.property('properties.credentials')
      expect(under.tool('shell').parameters).to.have.nested.property('properties.credentials')
    } finally {
      await without.stop()
    }
  })

  it('are masked where output is cut, and where a reading begins inside of one', async () => {
    const command = `seq 1 2400; printf "x$GITHUB_TOKEN\\n%.0s" {1..1500}; seq 1 200`
    const { text } = await under.call('shell', { command, credentials: ['github'] })
    expect(text).to.include('[cut:').and.to.include('x[credential github]\n')
    expect(text).to.not.include('s3cr').and.to.not.include('value')
    const id = /read_process \{"id":"([^"]+)"/.exec(text)?.[1] ?? ''
    const start = 2_400 * 5 - 1_107 + 1
    for (const offset of [start, start + 3, start + 10]) {
      const part = await under.call('read_process', { id, offset })
      expect(part.text).to.include('x[credential github]\n')
      expect(part.text.split('\n').slice(1).join('\n'), `from ${offset}`).to.not.match(/3cret|4711|value|alue/)
    }
  })

  it('are masked in what people read of a process', async () => {
    const command =
      'printf "a $GITHUB_TOK"; printf "%s" "$GITHUB_TOKEN" | cut -c 1-9 | tr -d "\\n"; sleep 0.1; printf "%s b" "$GITHUB_TOKEN" | cut -c 10-'
    const started = await under.call('shell', { command, credentials: ['github'], background: true })
    const id = /process (\S+?)\. /.exec(started.text)?.[1] ?? under.sandbox.list({ userId: agent.userId })[0]?.id ?? ''
    const process = under.sandbox.find(agent.userId, id)
    if (process === undefined) throw new Error(`There is no process ${id}: ${started.text}`)
    await process.exited
    const read = async (from: number): Promise<string> => {
      const output = readMasked(process, createProcessMasks(credentials), { from, follow: true, signal: new AbortController().signal })
      let shown = ''
      for await (const { text } of output.pieces()) shown += text?.text ?? ''
      for (const { text } of await output.rest(0, true)) shown += text
      return shown
    }
    expect(await read(0)).to.equal('a [credential github] b\n')
    expect(await read(6)).to.equal('[credential github] b\n')
  })
})
