import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'
import { connectTerminal, type TerminalClient } from './support/terminal-client.js'

const escapeCharacter = String.fromCharCode(27)
const password = 'a long enough password'

describe('a terminal in the sandbox', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  let admin: Api
  let ada: Api
  let agentId: string
  const clients: TerminalClient[] = []

  before(async () => {
    kernel = await createTestKernel()
    admin = await signUp(kernel.url, 'admin', password)
    ada = await signUp(kernel.url, 'ada', password)
    const agents = (await ada.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
    agentId = agents[0]?.id ?? ''
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()))
    const { body } = await ada.request('GET', '/api/sandbox/processes?state=running')
    for (const { id } of body['items'] as readonly { readonly id: string }[]) await ada.request('POST', `/api/sandbox/processes/${id}/stop`)
  })
  after(() => kernel?.stop())

  const open = async (more: object = {}): Promise<string> => {
    const { status, body } = await ada.request('POST', '/api/sandbox/terminals', { agent_id: agentId, ...more })
    expect(status, JSON.stringify(body)).to.equal(201)
    return String(body['id'])
  }
  const connect = async (id: string, query = '', token = ada.token): Promise<TerminalClient> => {
    const client = await connectTerminal(kernel.url, `/api/sandbox/terminals/${id}?token=${token}${query}`)
    clients.push(client)
    return client
  }

  it('is a login shell with job control, whose size follows the page', async () => {
    const id = await open({ columns: 100, rows: 30 })
    const page = await connect(id)
    expect((await page.shows(/^(.*)\$ /s))[1], 'only the prompt').to.match(/^[^a-zA-Z]*(h)?~ $/)
    expect(await page.hears('attached')).to.include({ process_id: id, from: 0, writer: true, columns: 100, rows: 30 })
    page.type('stty size; echo "<$TERM>"; shopt -q login_shell && echo login\n')
    await page.shows(/30 100\r\n<xterm-256color>\r\nlogin/)
    page.say({ type: 'resize', columns: 132, rows: 43 })
    page.type('stty size\n')
    await page.shows(/43 132/)
    // Keys are signals from the moment on in which the program has the terminal.
    page.type("sh -c 'echo fir''st; exec sleep 1000'\n")
    await page.shows(/first\r\n/)
    page.type('\x1a')
    await page.shows(/Stopped/)
    page.type('jobs; kill %1; wait; echo over-$?\n')
    await page.shows(/over-\d/)
    page.type("sh -c 'echo sec''ond; exec sleep 1000'\n")
    await page.shows(/second\r\n/)
    page.type('\x03')
    page.type('echo st=$?\n')
    await page.shows(/st=130/)
    page.type('exit 7\n')
    expect(await page.hears('exit')).to.include({ reason: 'exit', code: 7 })
    expect(await page.closed).to.deep.equal({ code: 1000, reason: '' })
    expect((await ada.request('GET', `/api/sandbox/processes/${id}`)).body).to.deep.include({ kind: 'terminal', terminal: true })
  })

  it('reads no profile that an agent wrote, and keeps no history', async () => {
    const first = await connect(await open())
    first.type("for name in .profile .bash_profile .bash_login .bashrc; do echo 'echo plan''ted' > $name; done; echo writ''ten; exit\n")
    await first.shows(/written/)
    await first.closed
    const second = await connect(await open())
    second.type("ls -a; rm -f .profile .bash*; echo lis''ted\n")
    await second.shows(/listed/)
    expect(second.text()).to.include('.bash_profile').and.not.include('planted').and.not.include('history')
  })

  it('survives a reload: every byte of output comes once, also in the middle of a character, and what ran goes on', async () => {
    const id = await open()
    const first = await connect(id)
    first.type("i=0; while [ $i -lt 400 ]; do i=$((i+1)); printf 'grüße-%s-世界-🦊\\n' $i; done; read -r word; echo heard-$word\n")
    await first.shows(/grüße-3-/)
    const pages = [first]
    // Each reload continues one byte after the last, wherever that is.
    while (!/grüße-400-世界-🦊/.test(pages.map((page) => page.text()).join(''))) {
      const before = pages.at(-1)
      before?.socket.terminate()
      await before?.closed
      const page = await connect(id, `&from=${(before?.position() ?? 0) - (pages.length % 2)}`)
      pages.push(page)
      if (/400/.test(page.text())) break
      await Promise.race([page.hears('live'), page.shows(/400-世界/)])
    }
    const page = pages.at(-1) as TerminalClient
    page.type('again\n')
    await page.shows(/heard-again\r\n.*~ \$ $/s)
    const whole = await connect(id)
    await whole.shows(/heard-again\r\n.*~ \$ $/s)
    const lines = whole.text().match(/^grüße-\d+-世界-🦊\r$/gm) ?? []
    expect(lines).to.deep.equal(Array.from({ length: 400 }, (_, index) => `grüße-${index + 1}-世界-🦊\r`))
    expect(whole.text()).not.to.include('\ufffd')
    expect(whole.controls.map(({ type }) => type)).to.include.members(['attached', 'live'])
    expect(whole.position()).to.equal(page.position())
  })

  it('continues at any byte, and sends each byte from there on', async () => {
    const id = await open()
    const page = await connect(id)
    page.type("printf '🦊%.0s' 1 2 3 4 5 6; echo end\n")
    // With the next prompt, nothing more comes.
    await page.shows(/(🦊){6}end\r\n.*~ \$ $/su)
    const all = Buffer.from(page.text())
    const inFox = all.indexOf('🦊') + 1
    for (const from of [0, 1, inFox, inFox + 1, inFox + 2, all.length - 3, all.length, all.length + 1_000]) {
      const again = await connect(id, `&from=${from}`)
      expect(await again.hears('attached')).to.include({ from: Math.min(from, all.length) })
      await again.hears('live')
      expect(again.position()).to.equal(all.length)
      await again.close()
    }
  })

  it('has any number of watchers and one that writes: the one that came or asked last', async () => {
    const id = await open({ columns: 80, rows: 24 })
    const desk = await connect(id)
    expect(await desk.hears('attached')).to.include({ writer: true })
    const watcher = await connect(id, '&watch=true')
    expect(await watcher.hears('attached')).to.include({ writer: false })
    const phone = await connect(id)
    expect(await phone.hears('attached')).to.include({ writer: true })
    expect(await desk.hears('control')).to.include({ writer: false })

    for (const page of [desk, watcher]) {
      page.type('echo dropped\n')
      page.say({ type: 'resize', columns: 1, rows: 1 })
      page.say({ type: page === watcher ? 'take' : 'resume' })
    }
    phone.say({ type: 'resize', columns: 91, rows: 33 })
    phone.type('stty size; echo from-phone\n')
    for (const page of [desk, watcher, phone]) await page.shows(/33 91\r\nfrom-phone/)
    expect(await desk.hears('size')).to.include({ columns: 91, rows: 33 })
    expect(phone.text()).not.to.include('dropped')

    desk.say({ type: 'take' })
    await desk.hears('control', ({ writer }) => writer === true)
    await phone.hears('control', ({ writer }) => writer === false)
    desk.type('echo from-desk\n')
    await watcher.shows(/from-desk\r\n/)
    await desk.close()
    await phone.hears('control', ({ writer }) => writer === true)
    phone.type('echo phone-again\n')
    await watcher.shows(/phone-again\r\n/)
  })

  it('waits for the page that writes, and goes on where that stopped reading', async () => {
    const id = await open()
    const page = await connect(id)
    page.say({ type: 'pause' })
    page.type("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo all-of''-it\n")
    const watcher = await connect(id, '&watch=true')
    await watcher.shows(/x{1000}/)
    const written = async (): Promise<number> => Number((await ada.request('GET', `/api/sandbox/processes/${id}`)).body['output_bytes'])
    while ((await written()) <= 262_144);
    for (let times = 0; times < 30; times += 1) expect(await written()).to.be.below(1_000_000)
    page.say({ type: 'resume' })
    await page.shows(/all-of-it\r\n/)
    const from = page.controls.find(({ type }) => type === 'skipped')
    expect(from, 'nothing is skipped for the page that writes').to.equal(undefined)
    expect(
      page
        .text()
        .match(/x+/g)
        ?.reduce((sum, run) => sum + run.length, 0),
    ).to.be.at.least(3_000_000)
  })

  it('takes Ctrl-C while the page does not read', async () => {
    const id = await open()
    const page = await connect(id)
    page.say({ type: 'pause' })
    const watcher = await connect(id, '&watch=true')
    page.type('yes\n')
    await watcher.shows(/(y\r\n){9}/)
    page.type('\x03')
    page.type('echo st=$?\n')
    page.say({ type: 'resume' })
    await page.shows(/st=130/)
  })

  it('says what is no longer kept, and begins with a whole line', async () => {
    const id = await open()
    const page = await connect(id)
    page.type('i=0; while [ $i -lt 30000 ]; do i=$((i+1)); echo "line-$i-0123456789012345678901234567890123456789"; done; echo done-$i\n')
    await page.shows(/done-30000\r\n.*~ \$ $/s)
    const late = await connect(id)
    expect(Number((await late.hears('skipped'))['from'])).to.be.greaterThan(300_000)
    await late.shows(/done-30000\r\n.*~ \$ $/s)
    expect(late.text()).to.match(/^line-\d+-/)
    expect(Buffer.byteLength(late.text())).to.be.within(900_000, 1_048_576)
    expect(late.position()).to.equal(page.position())
  })

  it('ends with its user: a new password, and a disabled account', async () => {
    for (const [name, end] of [
      [
        'bea',
        (person: Api) => person.request('PUT', '/api/auth/password', { current_password: password, new_password: 'another long password' }),
      ],
      ['cleo', (person: Api) => admin.request('PATCH', `/api/admin/users/${person.userId}`, { disabled: true })],
    ] as const) {
      const person = await signUp(kernel.url, name)
      const [agent] = (await person.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
      const opened = await person.request('POST', '/api/sandbox/terminals', { agent_id: agent?.id })
      const page = await connect(String(opened.body['id']), '', person.token)
      page.type('sleep 1000\n')
      await page.shows(/sleep 1000\r\n/)
      const ended = await end(person)
      expect(ended.status, JSON.stringify(ended.body)).to.be.within(200, 204)
      expect((await page.closed).code, name).to.be.oneOf([1000, 1008])
      for (;;) {
        const running = (await admin.request('GET', '/api/admin/sandbox/processes')).body['items'] as readonly Record<string, unknown>[]
        if (!running.some((process) => process['user_id'] === person.userId)) break
      }
    }
  })

  it('is nobody else’s, and no agent’s: others get what an unknown terminal does', async () => {
    const id = await open()
    const bob = await signUp(kernel.url, 'bob')
    for (const [method, path] of [
      ['GET', '/api/sandbox/processes/{}'],
      ['GET', '/api/sandbox/processes/{}/output'],
      ['GET', '/api/sandbox/processes/{}/output/stream'],
      ['POST', '/api/sandbox/processes/{}/stop'],
    ] as const) {
      const answers = await Promise.all(
        [id, 'unknown'].map(async (each) => {
          const { status, body } = await bob.request(method, path.replace('{}', each))
          return JSON.stringify({ status, ...body, instance: undefined, request_id: undefined }).replaceAll(each, '{}')
        }),
      )
      expect(answers[0]).to.equal(answers[1])
      expect(JSON.parse(answers[0] ?? '{}')).to.include({ status: 404, code: 'not_found' })
    }
    for (const each of [id, 'unknown']) {
      const page = await connect(each, '', bob.token)
      expect(await page.closed).to.deep.equal({ code: 1008, reason: 'not_found' })
    }
    expect((await bob.request('POST', '/api/sandbox/terminals', { agent_id: agentId })).body).to.include({ code: 'not_found' })

    const page = await connect(id)
    const script = `
      const token = require('fs').readFileSync(process.env.AGENT_SERVICE_TOKEN_FILE, 'utf8').trim()
      const call = async (method, path, body) => {
        const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
        const answer = await fetch(process.env.AGENT_SERVICE_URL + path, { method, headers, body: body && JSON.stringify(body) })
        console.log(['got', method, answer.status, (await answer.json()).code].join('-'))
      }
      call('POST', '/api/sandbox/terminals', { agent_id: '${agentId}' })
        .then(() => call('DELETE', '/api/auth/sessions/x'))
        .then(() => call('POST', '/api/sandbox/processes/${id}/stop'))
        .then(() => call('GET', '/api/sandbox/processes'))
        .then(() => console.log('calls' + '-over'))`
    page.type(`node -e "$(echo ${Buffer.from(script).toString('base64')} | base64 -d)"\n`)
    await page.shows(/calls-over/)
    const answered = page.text()
    expect(answered).to.match(/got-POST-403-people_only\r\ngot-DELETE-403-\w+\r\ngot-POST-403-people_only\r\ngot-GET-403-people_only/)
  })

  it('is limited, audited, counted, and never in the log', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => open()))
    expect((await ada.request('POST', '/api/sandbox/terminals', { agent_id: agentId })).body).to.include({
      status: 429,
      code: 'limit_reached',
    })
    const page = await connect(ids[0] ?? '')
    page.type("printf '\\033]52;c;c2VjcmV0\\007\\033[31mflood-of-escapes\\033[2J'; echo\n")
    await page.shows(new RegExp(String.raw`${escapeCharacter}\[31mflood-of-escapes`))
    const metrics = await (await fetch(`${kernel.url}/metrics`)).text()
    expect(metrics).to.match(/sandbox_terminals\{attended="true"\} 1\n/)
    expect(metrics).to.match(/sandbox_terminals\{attended="false"\} 7\n/)
    expect(metrics).to.match(/sandbox_terminals_opened_total \d+/)
    const audited = (await admin.request('GET', '/api/admin/audit?kind=sandbox_terminal.opened')).body['items'] as readonly Record<
      string,
      unknown
    >[]
    expect(audited.filter((entry) => entry['subject_id'] === agentId && entry['actor_id'] === ada.userId).length).to.be.at.least(8)
    expect(JSON.stringify(kernel.log)).not.to.include('flood-of-escapes')
    page.say({ type: 'nonsense' })
    expect(await page.closed).to.deep.equal({ code: 1008, reason: 'invalid_message' })
    const again = await connect(ids[0] ?? '')
    await again.shows(/flood-of-escapes/)
    expect((await ada.request('POST', `/api/sandbox/processes/${ids[1]}/stop`)).body).to.deep.include({ id: ids[1] })
    await open()
  })
})
