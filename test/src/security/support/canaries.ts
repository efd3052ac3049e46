import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { expect } from 'chai'
import { fileWithSecrets, secretFields, secretText } from '../../configuration/support/secret-fields.js'
import { runCommand } from '../../support/command.js'
import { lastingPort } from '../../support/lasting-port.js'
import { refusing, type ScriptedHttpUpstream, saying, startScriptedHttpUpstream } from '../../support/scripted-http-upstream.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../../support/service-process.js'
import { type Answer, bearer, type Client, createClient, type Request, type SignedInPerson } from './clients.js'
import { writeLeakyPlugins } from './leaky-plugin.js'
import { createSecretSearch } from './secret-search.js'

const passwords = {
  first: 'canary-password-first-4711/+"ü',
  second: 'canary-password-second-4711/+"ü',
  wrong: 'canary-password-wrong-4711/+"ü',
}

const savedAnew: readonly string[] = ['voice.telephony_auth_token', 'providers.work.api_key']

/** Uses all of a service, and looks for its secrets wherever it writes. */
export function describeCanaries(driver: 'sqlite' | 'lowdb'): void {
  describe(`secrets in everything that a service with ${driver} shows and keeps`, function () {
    this.timeout(60_000)
    const secrets = new Map<string, string>()
    const answers: Answer[] = []
    const outputs: string[] = []
    const processes: string[] = []
    let folder: string
    let upstream: ScriptedHttpUpstream
    let service: ServiceProcess
    let setupCode: string

    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'agent-service-canaries-'))
      upstream = await startScriptedHttpUpstream()
      for (const field of secretFields) secrets.set(field.path.join('.'), field.canary)
      for (const [name, password] of Object.entries(passwords)) secrets.set(`the ${name} password`, password)
      // A restart replaces the two that are saved anew; what the plugins say is known before and
      // after it.
      const kept = secretFields.filter(({ path: [section, ...rest] }) => !savedAnew.includes([section, ...rest].join('.')))
      const plugins = await writeLeakyPlugins(path.join(folder, 'plugins'), kept.map(secretText).join(' '))
      await mkdir(path.join(folder, 'data'))
      await writeFile(path.join(folder, 'data', 'config.yaml'), JSON.stringify(configuration(plugins)))
      service = await startServiceProcess({
        folder,
        environment: {
          SERVICE_AUTH_ENCRYPTION_SECRET: '',
          SERVICE_SERVER_LOG_LEVEL: 'debug',
          SERVICE_SERVER_PORT: String(await lastingPort()),
        },
      })
      await useAll()
      processes.push(...(await commandLines(Number(service.child.pid))))
      expect(await service.stop()).to.equal(0)
      outputs.push(...service.log)
      for (const args of [['doctor'], ['config', 'explain'], ['users', 'list'], ['plugins', 'list']]) {
        const command = runCommand(folder, args, { SERVICE_SERVER_DATA_DIR: path.join(folder, 'data') })
        await command.ended
        outputs.push(command.output())
      }
    })
    after(async () => {
      service?.child.kill('SIGKILL')
      await upstream?.close()
      await removeFolder(folder)
    })

    function configuration(plugins: readonly string[]): JsonObject {
      const upstreamOfWork = { provider: 'vendor', adapter: 'adapter_alpha', base_url: upstream.url }
      const file = fileWithSecrets(undefined, {
        database: { driver },
        server: { trusted_proxies: '127.0.0.1' },
        sso: { authority: 'http://127.0.0.1:9' },
        plugins: { sources: [...plugins] },
      }) as Record<string, Record<string, JsonValue>>
      const { work } = file['providers'] as { readonly work: JsonObject }
      file['providers'] = { work: { ...work, ...upstreamOfWork } }
      const retry = { max_retries: 0 }
      file['models'] = { primary: { provider: 'work', model: 'm', api: 'completions', retry } }
      return file
    }

    /** A person's life with the service, and every way in which it goes wrong. */
    async function useAll(): Promise<void> {
      const plain: Client = createClient(service.url, { trustedProxy: true })
      const send = async (method: string, target: string, request?: Request): Promise<Answer> => {
        const answer = await plain.send(method, target, request)
        answers.push(answer)
        return answer
      }
      const client: Client = { ...plain, send }
      const person = ({ json, headers }: Answer): SignedInPerson => {
        const accessToken = String(json['access_token'])
        const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
        secrets.set(`access token ${secrets.size}`, accessToken.split('.')[2] ?? '')
        secrets.set(`refresh token ${secrets.size}`, cookie.split('.')[2] ?? '')
        return { userId: String((json['user'] as JsonObject)['id']), accessToken, cookie, authorization: bearer(accessToken) }
      }

      setupCode = /\b([a-z2-9]{5}(?:-[a-z2-9]{5}){3})\b/.exec(service.log.join('\n'))?.[1] ?? ''
      secrets.set('the set-up code', setupCode)
      const account = { username: 'ada', password: passwords.first }
      const wrongCode = `${setupCode.slice(0, -1)}${setupCode.endsWith('x') ? 'y' : 'x'}`
      await client.send('POST', '/api/auth/register', { body: { ...account, setup_code: wrongCode } })
      const ada = person(await client.send('POST', '/api/auth/register', { body: { ...account, setup_code: setupCode } }))
      await client.send('POST', '/api/auth/register', { body: { ...account, username: 'eve', setup_code: setupCode } })
      const laptop = person(await client.send('POST', '/api/auth/login', { body: account }))

      // What people do with a password, and what they should not.
      await client.send('POST', '/api/auth/login', { body: { username: 'ada', password: passwords.wrong } })
      await client.send('POST', '/api/auth/login', { body: { username: passwords.first, password: 'ada' } })
      await client.send('POST', '/api/auth/login', { body: { username: [passwords.first], password: { of: passwords.first } } })
      await client.send('POST', '/api/auth/login', { body: `{"username":"ada","password":${JSON.stringify(passwords.first)}` })
      await client.send('POST', '/api/auth/login', { body: { ...account, [passwords.first]: passwords.first } })
      await client.send('GET', `/api/auth/login?password=${encodeURIComponent(passwords.first)}`)
      await client.send('POST', `/api/auth/login?password=${encodeURIComponent(passwords.first)}`, { body: account })
      await client.send('GET', '/api/auth/me', {
        headers: { authorization: `Basic ${Buffer.from(`ada:${passwords.first}`).toString('base64')}` },
      })
      await client.send('PUT', '/api/auth/password', {
        headers: ada.authorization,
        body: { current_password: passwords.wrong, new_password: passwords.second },
      })

      await client.send('POST', '/api/auth/confirm', { headers: ada.authorization, body: { password: passwords.wrong } })
      await client.send('POST', '/api/auth/confirm', { headers: ada.authorization, body: { password: passwords.first } })

      // Tokens: used well, badly, twice, too late and in the wrong place.
      const made = await client.send('POST', '/api/auth/tokens', { headers: ada.authorization, body: { name: 'script', scopes: ['read'] } })
      const token = String(made.json['token'])
      secrets.set('the personal access token', token)
      await client.send('GET', '/api/auth/me', { headers: bearer(token) })
      await client.send('POST', '/api/chats', { headers: bearer(token), body: {} })
      await client.send('GET', '/api/auth/me', { headers: bearer(`${token.slice(0, -1)}_`) })
      await client.send('GET', `/api/events?token=${token}`)
      await client.send('GET', `/api/agents?token=${ada.accessToken}`)
      await client.send('GET', `/api/auth/me/${ada.accessToken}`)
      await client.send('GET', '/api/auth/me', { headers: { cookie: ada.cookie } })
      await client.send('PATCH', '/api/auth/me', { headers: { cookie: ada.cookie, origin: 'https://evil.example' }, body: {} })
      person(await client.send('POST', '/api/auth/refresh', { headers: { cookie: laptop.cookie } }))
      await client.send('POST', '/api/auth/refresh', { headers: { cookie: laptop.cookie, 'user-agent': 'thief' } })
      await client.send('POST', '/api/auth/refresh', { headers: { cookie: laptop.cookie } })

      // A provider that repeats the key that it refuses, a plugin whose errors hold what it knows.
      const key = secrets.get('providers.work.api_key') ?? ''
      const stream = await fetch(`${service.url}/api/events?token=${ada.accessToken}`)
      const streamed = stream.text()
      const chat = await client.send('POST', '/api/chats', { headers: ada.authorization, body: {} })
      const post = async (content: string): Promise<void> => {
        const { json } = await client.send('POST', `/api/chats/${String(chat.json['id'])}/messages`, {
          headers: ada.authorization,
          body: { content },
        })
        const runPath = `/api/runs/${(json['run'] as { readonly id: string }).id}`
        let status = ''
        while (!['completed', 'failed'].includes(status))
          status = String((await client.send('GET', runPath, { headers: ada.authorization })).json['status'])
      }
      upstream.script(refusing(401, { message: `Incorrect API key provided: ${key}. Header was Bearer ${key}`, type: key, code: key }))
      await post('One')
      upstream.script(refusing(500, { message: `https://vendor.example/v1?key=${encodeURIComponent(key)}` }))
      await post('Two')
      upstream.script((response) => void response.writeHead(418, { 'content-type': 'text/plain', 'x-key': key }).end(`<html>${key}</html>`))
      await post('Three')
      upstream.script(saying('All is well.'))
      await post('Four')
      await client.send('GET', `/api/chats/${String(chat.json['id'])}/messages`, { headers: ada.authorization })
      expect((await client.send('GET', '/api/plugins/leaky-route/fail', { headers: ada.authorization })).status).to.equal(500)
      expect((await client.send('GET', '/api/plugins/leaky-route/fail?how=problem', { headers: ada.authorization })).status).to.equal(404)
      await client.send('GET', '/api/admin/plugins', { headers: ada.authorization })

      // The configuration: read, checked, saved with other secrets, and refused.
      const read = await client.send('GET', '/api/admin/config', { headers: ada.authorization })
      const other = 'canary-saved-later-4711/+"&'
      secrets.set('a secret that was saved', other)
      const matching = { ...ada.authorization, 'if-match': String(read.json['revision']) }
      const set = Object.fromEntries(savedAnew.map((name) => [name, other]))
      await client.send('POST', '/api/admin/config/check', { headers: ada.authorization, body: { set: { 'sso.client_secret': [other] } } })
      await client.send('PATCH', '/api/admin/config', { headers: matching, body: { set: { 'sso.client_secret': [other] } } })
      expect((await client.send('PATCH', '/api/admin/config', { headers: matching, body: { set } })).status).to.equal(200)
      await client.send('PATCH', '/api/admin/config', { headers: matching, body: { set } })
      await client.send('GET', '/api/admin/config', { headers: ada.authorization })

      expect((await client.send('POST', '/api/admin/backups', { headers: ada.authorization })).status).to.equal(201)
      expect((await client.send('POST', '/api/admin/restart', { headers: ada.authorization })).status).to.be.within(200, 202)
      outputs.push(await streamed)
      await answersAgain()
      await client.send('PUT', '/api/auth/password', {
        headers: ada.authorization,
        body: { current_password: passwords.first, new_password: passwords.second },
      })
      const again = person(await client.send('POST', '/api/auth/login', { body: { username: 'ada', password: passwords.second } }))
      await client.send('GET', '/api/admin/audit?limit=200', { headers: again.authorization })
      await client.send('GET', '/metrics', { headers: again.authorization })
      await client.send('POST', '/api/auth/logout', { headers: again.authorization })
      await client.send('GET', '/api/auth/me', { headers: again.authorization })
    }

    /** The restart in place keeps the port. */
    async function answersAgain(): Promise<void> {
      const ready = (): boolean => service.log.filter((line) => line.includes('The service is ready.')).length > 1
      while (!ready()) await new Promise((resolve) => service.child.stdout?.once('data', resolve))
    }

    /**
     * What any user of the machine sees of a process and of those below it, and the environment
     * that those were given.
     */
    async function commandLines(id: number): Promise<string[]> {
      const children = (await readFile(`/proc/${id}/task/${id}/children`, 'utf8')).split(' ').filter((text) => text.trim() !== '')
      const own = [await readFile(`/proc/${id}/cmdline`, 'utf8'), await readFile(`/proc/${id}/environ`, 'utf8')]
      const below = await Promise.all(children.map((child) => commandLines(Number(child))))
      return [...own, ...below.flat()]
    }

    const search = () => createSecretSearch(secrets)
    /** Where each secret is given to the one who is to have it. */
    const handsOut = ({ status, headers, json }: Answer): boolean =>
      status < 300 && (json['access_token'] !== undefined || json['token'] !== undefined || headers.has('set-cookie'))

    it('16.2.5 did everything that it is about', () => {
      expect(secrets.size).to.be.greaterThan(secretFields.length + 10)
      expect(setupCode).to.have.length(23)
      const statuses = new Set(answers.map(({ status }) => status))
      for (const status of [200, 201, 202, 204, 400, 401, 403, 404, 405, 412, 422, 500]) expect(statuses).to.include(status)
    })

    it('16.2.5 are in no line of the log and no output of a command', () => {
      // The set-up code is printed for whoever started the service; nowhere else.
      const lines = outputs.filter((line) => !(line.includes(setupCode) && line.includes('There is no account yet.')))
      expect(outputs.length - lines.length).to.equal(1)
      expect(lines.flatMap((line) => search().inText(line.slice(0, 500), line))).to.deep.equal([])
    })

    it('16.5.1 are in no answer but the one that hands them out, and in no event', () => {
      const others = answers.filter((answer) => !handsOut(answer))
      expect(others.length).to.be.greaterThan(30)
      const heads = (answer: Answer): string => JSON.stringify([...answer.headers])
      expect(others.flatMap((answer) => search().inText(answer.text.slice(0, 500), `${heads(answer)}\n${answer.text}`))).to.deep.equal([])
    })

    it('13.3.1 are in no file but the configuration, which nobody else may read', async () => {
      const data = path.join(folder, 'data')
      const isConfiguration = (file: string): boolean => path.dirname(file) === data && path.basename(file).startsWith('config.yaml')
      const names = (await readdir(data)).filter((name) => name.startsWith('config.yaml'))
      expect(names).to.include('config.yaml')
      const { mode } = await stat(path.join(data, 'config.yaml'))
      expect(mode & 0o077).to.equal(0)
      expect(await search().inFolder(data, isConfiguration)).to.deep.equal([])
    })

    it('13.3.1 are on no command line and in no environment that the service made', () => {
      expect(processes.length).to.be.at.least(2)
      expect(processes.flatMap((text) => search().inText(text.slice(0, 200), text))).to.deep.equal([])
    })

    it('16.2.5 would be found, had they been there', async () => {
      const planted = path.join(folder, 'data', 'planted.bin')
      await writeFile(planted, Buffer.concat([Buffer.alloc(5_000, 1), Buffer.from(passwords.first)]))
      const found = await search().inFolder(path.join(folder, 'data'), (file) => path.basename(file).startsWith('config.yaml'))
      expect(found.map(({ secret, where }) => [secret, where])).to.deep.include(['the first password', planted])
      const encoded = Buffer.from(`Bearer ${secrets.get('the personal access token')}`).toString('base64')
      expect(
        search()
          .inText('here', `{"msg":"${encoded}"}`)
          .map(({ secret }) => secret),
      ).to.deep.equal(['the personal access token'])
    })
  })
}
