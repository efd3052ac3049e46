import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { setUpCodeOf } from '../support/set-up-code.js'
import { bearer, type Client, createClient, type SignedInPerson, usualPassword } from './support/clients.js'

/** What bob has: two devices, a token for programs, and streams behind each. */
interface Belongings {
  readonly phone: SignedInPerson
  readonly laptop: SignedInPerson
  readonly programToken: string
  readonly username: string
  readonly streams: Readonly<Record<Name, readonly OpenStream[]>>
}

interface OpenStream {
  readonly isOpen: () => boolean
  readonly ended: Promise<void>
}

type Name = 'phone' | 'laptop' | 'program'
const everything: readonly Name[] = ['phone', 'laptop', 'program']

/** Who does what, and what of bob's has ended then. The rest goes on. */
const cases: readonly {
  readonly id: string
  readonly what: string
  readonly act: (client: Client, bob: Belongings, admin: SignedInPerson) => Promise<{ readonly status: number }>
  readonly ends: readonly Name[]
}[] = [
  {
    id: '7.4.1',
    what: 'he signs out on the phone',
    act: (client, { phone }) => client.send('POST', '/api/auth/logout', { headers: phone.authorization }),
    ends: ['phone'],
  },
  {
    id: '7.4.1',
    what: 'he signs out on the phone, whose access token is gone, by its cookie alone',
    act: (client, { phone }) => client.send('POST', '/api/auth/logout', { headers: { cookie: phone.cookie } }),
    ends: ['phone'],
  },
  {
    id: '7.2.4',
    what: 'he signs in anew on the phone',
    act: async (client, { phone, username }) => {
      await client.signIn(username, undefined, { cookie: phone.cookie })
      return { status: 200 }
    },
    ends: ['phone'],
  },
  {
    id: '7.4.3',
    what: 'he changes his password on the laptop',
    act: (client, { laptop }) =>
      client.send('PUT', '/api/auth/password', {
        headers: laptop.authorization,
        body: { current_password: 'a long enough password', new_password: 'another fine sentence' },
      }),
    ends: ['phone'],
  },
  {
    id: '7.5.2',
    what: 'he ends the phone’s session on the laptop',
    act: async (client, { laptop }) => {
      const { json } = await client.send('GET', '/api/auth/sessions', { headers: laptop.authorization })
      const other = (json['items'] as readonly { readonly id: string; readonly current: boolean }[]).find(({ current }) => !current)
      return client.send('DELETE', `/api/auth/sessions/${other?.id}`, { headers: laptop.authorization })
    },
    ends: ['phone'],
  },
  {
    id: '7.4.1',
    what: 'he revokes the token',
    act: async (client, { laptop }) => {
      const { json } = await client.send('GET', '/api/auth/tokens', { headers: laptop.authorization })
      const [token] = json['items'] as readonly { readonly id: string }[]
      return client.send('DELETE', `/api/auth/tokens/${token?.id}`, { headers: laptop.authorization })
    },
    ends: ['program'],
  },
  {
    id: '7.4.5',
    what: 'an administrator gives him another password',
    act: (client, { phone }, admin) =>
      client.send('PATCH', `/api/admin/users/${phone.userId}`, { headers: admin.authorization, body: { password: 'given by somebody' } }),
    ends: ['phone', 'laptop'],
  },
  {
    id: '7.4.2',
    what: 'an administrator disables his account',
    act: (client, { phone }, admin) =>
      client.send('PATCH', `/api/admin/users/${phone.userId}`, { headers: admin.authorization, body: { disabled: true } }),
    ends: everything,
  },
  {
    id: '7.4.2',
    what: 'an administrator deletes his account',
    act: (client, { phone }, admin) => client.send('DELETE', `/api/admin/users/${phone.userId}`, { headers: admin.authorization }),
    ends: everything,
  },
  {
    id: '7.4.1',
    what: 'a replaced refresh token of the phone comes back from elsewhere',
    act: async (client, { phone }) => {
      await client.send('POST', '/api/auth/refresh', { headers: { cookie: phone.cookie, 'user-agent': 'phone' } })
      const { status } = await client.send('POST', '/api/auth/refresh', { headers: { cookie: phone.cookie, 'user-agent': 'thief' } })
      return { status: status === 401 ? 200 : status }
    },
    ends: ['phone'],
  },
]

describe('the end of a session, account or token', function () {
  this.timeout(30_000)
  let kernel: TestKernel
  let client: Client
  let admin: SignedInPerson
  let bobs = 0

  before(async () => {
    kernel = await createTestKernel({ environment: { SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1' } })
    // The first account needs a caller on this machine, whom no proxy forwards.
    admin = await createClient(kernel.url).signUp('admin', usualPassword, setUpCodeOf(kernel))
    client = createClient(kernel.url, { trustedProxy: true })
  })
  after(() => kernel?.stop())

  async function openStream(headers: Readonly<Record<string, string>>, query = ''): Promise<OpenStream> {
    const answer = await fetch(`${kernel.url}/api/events${query}`, { headers })
    expect(answer.status).to.equal(200)
    let open = true
    const ended = answer.text().then(() => {
      open = false
    })
    return { isOpen: () => open, ended }
  }

  async function makeBob(): Promise<Belongings> {
    bobs += 1
    const username = `bob${bobs}`
    const phone = await client.signUp(username)
    const laptop = await client.signIn(username)
    const made = await client.send('POST', '/api/auth/tokens', { headers: laptop.authorization, body: { name: 'script' } })
    const programToken = String(made.json['token'])
    const streams = {
      phone: [await openStream(phone.authorization), await openStream({}, `?token=${phone.accessToken}`)],
      laptop: [await openStream(laptop.authorization)],
      program: [await openStream(bearer(programToken))],
    }
    return { username, phone, laptop, programToken, streams }
  }

  for (const { id, what, act, ends } of cases) {
    it(`${id} takes effect at once when ${what}: ${ends.join(', ')}`, async () => {
      const bob = await makeBob()
      await client.confirm(admin)
      const { phone, laptop, programToken, streams } = bob
      const credentials: Readonly<Record<Name, readonly Readonly<Record<string, string>>[]>> = {
        phone: [phone.authorization, { cookie: phone.cookie }],
        laptop: [laptop.authorization, { cookie: laptop.cookie }],
        program: [bearer(programToken)],
      }
      expect((await act(client, bob, admin)).status).to.be.within(200, 204)
      for (const name of everything) {
        const over = ends.includes(name)
        for (const headers of credentials[name]) {
          const { status } = await client.send('GET', '/api/auth/me', { headers })
          expect([name, Object.keys(headers)[0], status]).to.deep.equal([name, Object.keys(headers)[0], over ? 401 : 200])
        }
        // Those that end do so by themselves; this test's time limit is theirs.
        if (over) await Promise.all(streams[name].map(({ ended }) => ended))
        else expect(streams[name].map(({ isOpen }) => isOpen())).to.not.include(false)
      }
    })
  }

  it('7.4.2 holds for an account that is enabled again: its sessions and tokens stay ended', async () => {
    const { phone, programToken } = await makeBob()
    await client.confirm(admin)
    for (const disabled of [true, false])
      await client.send('PATCH', `/api/admin/users/${phone.userId}`, { headers: admin.authorization, body: { disabled } })
    const statuses = []
    for (const headers of [phone.authorization, { cookie: phone.cookie }, bearer(programToken)])
      statuses.push((await client.send('GET', '/api/auth/me', { headers })).status)
    expect(statuses).to.deep.equal([401, 401, 401])
  })
})
