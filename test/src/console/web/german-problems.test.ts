import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { runWebModules } from '../support/run-web-modules.js'

interface Said {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly errors: readonly { readonly path: string; readonly message: string }[]
}

interface GermanModules {
  readonly germanProblems: Readonly<Record<string, unknown>>
  readonly germanProblem: (said: Said) => { readonly detail: string; readonly said?: string; readonly errors: Said['errors'] }
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly responses?: Readonly<Record<string, { readonly 'x-codes'?: readonly string[] }>>
}

describe('problems of the service in German', () => {
  let kernel: TestKernel
  let web: GermanModules
  before(async () => {
    kernel = await createTestKernel()
    web = await runWebModules<GermanModules>(['i18n/problems/german-problem.ts', 'i18n/problems/codes-de.ts'])
  })
  after(() => kernel.stop())

  const said = (status: number, code: string, detail: string, errors: Said['errors'] = []) =>
    web.germanProblem({ status, code, detail, errors })

  it('cover every code that a route declares', async () => {
    const { paths } = (await (await fetch(`${kernel.url}/api/openapi.json`)).json()) as Description
    const declared = Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ responses }) => Object.values(responses ?? {}))
      .flatMap((answer) => answer['x-codes'] ?? [])
    const missing = [...new Set(declared)].filter((code) => !Object.hasOwn(web.germanProblems, code))
    expect(declared.length).to.be.greaterThan(1_000)
    expect(missing).to.deep.equal([])
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
