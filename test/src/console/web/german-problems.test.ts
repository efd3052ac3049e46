import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { runWebModules } from '../support/run-web-modules.js'

interface Said {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly errors: readonly { readonly path: string; readonly message: string }[]
}

interface ProblemModules {
  readonly plainProblems: Readonly<Record<string, string>>
  readonly plainProblem: (said: Said) => { readonly detail: string }
  readonly germanProblems: Readonly<Record<string, unknown>>
  readonly germanProblem: (said: Said) => { readonly detail: string; readonly said?: string; readonly errors: Said['errors'] }
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly responses?: Readonly<Record<string, { readonly 'x-codes'?: readonly string[] }>>
}

describe('problems of the service in words', () => {
  let kernel: TestKernel
  let web: ProblemModules
  before(async () => {
    kernel = await createTestKernel()
    web = await runWebModules<ProblemModules>(
      ['problem-words.ts', 'codes-de.ts', 'codes-en.ts'].map((file) => `sdk/web/i18n/problems/${file}`),
    )
  })
  after(() => kernel.stop())

  const said = (status: number, code: string, detail: string, errors: Said['errors'] = []) =>
    web.germanProblem({ status, code, detail, errors })

  it('are German for every code that a route declares', async () => {
    const { paths } = (await (await fetch(`${kernel.url}/api/openapi.json`)).json()) as Description
    const declared = Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ responses }) => Object.values(responses ?? {}))
      .flatMap((answer) => answer['x-codes'] ?? [])
    const missing = [...new Set(declared)].filter((code) => !Object.hasOwn(web.germanProblems, code))
    expect(declared.length).to.be.greaterThan(1_000)
    expect(missing).to.deep.equal([])
  })

  it('speak to people in English, too: of no route, header or member', () => {
    expect(Object.keys(web.plainProblems).filter((code) => !Object.hasOwn(web.germanProblems, code))).to.deep.equal([])
    for (const words of Object.values(web.plainProblems))
      expect(words).to.not.match(/\/api\/|If-Match|Retry-After|Idempotency|\b[a-z]+_[a-z_]+\b/)
    const detail = 'Confirm that it is you first: send your password to POST /api/auth/confirm, or sign on again, then repeat this.'
    expect(web.plainProblem({ status: 403, code: 'confirmation_required', detail, errors: [] }).detail).to.match(
      /^Confirm with your password/,
    )
    expect(web.plainProblem({ status: 409, code: 'lamp_is_on', detail: 'The lamp is on.', errors: [] }).detail).to.equal('The lamp is on.')
  })

  it('take the place of what the service really answers', async () => {
    const answer = async (path: string, init: RequestInit = {}) => (await (await fetch(`${kernel.url}${path}`, init)).json()) as Said
    const post = (path: string, body: object) =>
      answer(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    const german = ({ status, code, detail, errors = [] }: Said) => said(status, code, detail, errors)
    expect(german(await post('/api/auth/login', { username: 'nobody', password: 'not the password' }))).to.include({
      detail: 'Der Name oder das Passwort ist falsch.',
      said: undefined,
    })
    expect(german(await post('/api/auth/login', { username: 'nobody', pasword: 'x' }))).to.deep.equal({
      detail: 'Die Angaben sind nicht gültig. /password fehlt.',
      said: undefined,
      errors: [
        { path: '/password', message: 'fehlt' },
        { path: '/pasword', message: 'ist hier nicht bekannt; ist „password“ gemeint?' },
      ],
    })
    const made = await fetch(`${kernel.url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ada', password: 'a long enough password' }),
    })
    const { access_token: token } = (await made.json()) as { readonly access_token: string }
    const absent = await answer('/api/chats/01975f3e-8c00-7a3b-9d21-4f6e5b7c8d90', { headers: { authorization: `Bearer ${token}` } })
    expect(german(absent)).to.include({ detail: 'Diesen Chat gibt es nicht.', said: undefined })
  })

  it('name what is wrong with the fields of an account, as the service checks them', async () => {
    const register = async (body: object): Promise<Said> =>
      (await (
        await fetch(`${kernel.url}/api/auth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json()) as Said
    const fields = async (body: object) => {
      const { status, code, detail, errors = [] } = await register(body)
      return said(status, code, detail, errors).errors.map(({ message }) => message)
    }
    const password = 'a long enough password'
    expect(await fields({ username: 'Ada L', password })).to.deep.equal([
      'muss mit einem Buchstaben a–z beginnen und darf nur Buchstaben a–z, Ziffern, „_“ und „-“ enthalten',
    ])
    expect(await fields({ username: 'a', password })).to.deep.equal(['muss 2 bis 32 Zeichen haben, hat 1'])
    expect(await fields({ username: 'bob', password: 'short' })).to.deep.equal(['muss 8 bis 1024 Byte in UTF-8 haben, hat 5'])
  })

  it('keep what the service inserts, and what has no German words stands behind a general sentence', () => {
    expect(said(409, 'username_taken', 'The name “ada” is taken. Choose another one.').detail).to.equal(
      'Der Name „ada“ ist vergeben. Wähle einen anderen.',
    )
    expect(said(503, 'vault_unavailable', 'It sleeps.')).to.deep.include({
      detail: 'Der Tresor ist nicht erreichbar. Versuch es später noch einmal.',
      said: 'It sleeps.',
    })
    expect(said(409, 'lamp_is_on', 'The lamp is on.')).to.deep.include({
      detail: 'Das geht im jetzigen Zustand nicht.',
      said: 'The lamp is on.',
    })
    expect(said(418, 'teapot', 'I am a teapot.')).to.deep.include({ detail: 'Das hat nicht geklappt.', said: 'I am a teapot.' })
    expect(said(400, 'constructor', 'Odd.').said).to.equal('Odd.')
  })
})
