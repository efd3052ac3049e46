import { expect } from 'chai'
import type { UserRecord } from '../records/records.js'
import { createAccountDirectory } from './account-directory.js'
import type { ProfileChange } from './account-input.js'

const begin = () => {
  const users = new Map(
    ['ada', 'gone'].map((id) => {
      const disabled = id === 'gone'
      const email = `${id}@example.org`
      const address = { email, email_verified_at: '2026-01-01T00:00:00.000Z' }
      return [id, { id, username: id, handle: id, role: 'admin', ...address, name: null, timezone: null, disabled } as UserRecord] as const
    }),
  )
  const changes: ProfileChange[] = []
  const directory = createAccountDirectory({
    accounts: {
      get: async (id) => users.get(id),
      admins: async () => [...users.values()],
      list: async ({ limit = 50, cursor }) => {
        const after = cursor === undefined ? 0 : Number(cursor)
        const nextCursor = after + limit < users.size ? String(after + limit) : undefined
        return { items: [...users.values()].slice(after, after + limit), ...(nextCursor !== undefined && { nextCursor }) }
      },
    },
    requests: { list: async () => ({ items: [{ id: 'r', username: 'eve' }] }), watch: () => () => undefined },
    changes: {
      async changeProfile(id, change) {
        changes.push(change)
        return { ...(users.get(id) as UserRecord), ...change }
      },
    },
    hasSession: async () => false,
    timezone: 'Europe/Vienna',
  })
  return { directory, changes }
}

const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return (error as { readonly code?: string }).code
  }
  return 'none'
}

describe('accounts as features see them', () => {
  it('get another name or time zone, and nothing else, whatever a caller passes', async () => {
    const { directory, changes } = begin()
    const change = { name: 'Ada L.', timezone: null, email: 'eve@example.org', role: 'admin' }
    expect(await directory.changeProfile('ada', change)).to.deep.equal({ name: 'Ada L.', timezone: 'Europe/Vienna' })
    expect(await directory.changeProfile('ada', { timezone: 'Asia/Tokyo' })).to.deep.equal({ name: null, timezone: 'Asia/Tokyo' })
    expect(changes).to.deep.equal([{ name: 'Ada L.', timezone: null }, { timezone: 'Asia/Tokyo' }])
  })

  it('give an address to write to, and administrators', async () => {
    const { directory } = begin()
    expect(await directory.contact('ada')).to.deep.equal({ email: 'ada@example.org', hasUnconfirmedEmail: false, name: null })
    expect((await directory.admins()).map(({ id }) => id)).to.deep.equal(['ada'])
  })

  it('are listed by id, disabled ones too, in pages', async () => {
    const { directory } = begin()
    const first = await directory.ids({ limit: 1 })
    expect(first).to.deep.equal({ ids: ['ada'], nextCursor: '1' })
    expect(await directory.ids({ limit: 1, cursor: '1' })).to.deep.equal({ ids: ['gone'] })
  })

  it('are not there for a person who is unknown or disabled', async () => {
    const { directory, changes } = begin()
    for (const id of ['gone', 'nobody']) {
      expect(await directory.get(id)).to.equal(undefined)
      expect(await directory.contact(id)).to.equal(undefined)
      expect(await codeOf(directory.changeProfile(id, { name: 'X' }))).to.equal('not_found')
    }
    expect(changes).to.deep.equal([])
  })
})
