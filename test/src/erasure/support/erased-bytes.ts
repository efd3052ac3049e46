import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../../agents/support/agents-kernel.js'
import { calls, resultsIn, says, setScript } from '../../agents/support/scripted-plugin.js'
import { type DrivenClock, startDrivenClock } from '../../support/driven-clock.js'
import { marker, markersBelow, markersIn } from './marker-search.js'

/** Rounds, so that pages are split, joined and filled again while both people write. */
const rounds = 12

const purgeBegun = 'Removing deleted data from the files of the database.'
const purgeEnded = 'Removed deleted data from the files of the database.'

/** Deletes data of every kind, and looks for its bytes in all files. */
export function describeErasedBytes(driver: 'sqlite' | 'lowdb'): void {
  describe(`data erased from a service with ${driver}`, function () {
    this.timeout(90_000)
    let agents: AgentsKernel
    let time: DrivenClock
    let data: string
    let admin: Person

    beforeEach(async () => {
      time = startDrivenClock()
      agents = await startAgentsKernel({
        clock: time.clock,
        // Events stay for a while after their chat, for clients that reconnect; here none does.
        environment: { SERVICE_DATABASE_DRIVER: driver, SERVICE_SERVER_LOG_LEVEL: 'debug', SERVICE_SERVER_SSE_PENDING_EVENTS_SECS: '0' },
      })
      data = path.join(agents.kernel.folder, 'data')
      admin = await agents.person('admin')
    })
    afterEach(async () => {
      try {
        await agents.close()
      } finally {
        await time.stop()
      }
    })

    const send = async (person: Person, method: string, target: string, body?: unknown, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${agents.kernel.url}${target}`, {
        method,
        headers: {
          authorization: `Bearer ${person.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${target} answered ${answer.status}: ${text}`)
      return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
    }

    /** A model that calls a tool once for each message, and both repeat the text they are about. */
    const talk = (text: string): void => {
      setScript({
        answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read') : says(`${text}answer and more`)),
        tool: async () => ({ content: [{ type: 'text', text: `${text}result ${'r'.repeat(3000)}` }] }),
      })
    }

    /** A chat in which everything holds the text. */
    const chatAbout = async (person: Person, text: string): Promise<string> => {
      talk(text)
      const stream = await person.stream()
      const { id } = await send(person, 'POST', '/api/chats', { title: `${text}title` }, { 'idempotency-key': `${text}${Math.random()}` })
      const content = `${text}question ${text.repeat(20)} over ${'w'.repeat(1 + Math.floor(Math.random() * 2000))}`
      const key = { 'idempotency-key': `message-${Math.random()}` }
      const { run } = await send(person, 'POST', `/api/chats/${String(id)}/messages`, { content }, key)
      await endOf(stream, (run as { readonly id: string }).id)
      stream.close()
      const found = await send(person, 'GET', `/api/chats/search?q=${text}question`)
      expect(found['items']).to.have.length(1)
      return String(id)
    }

    const linesWith = (text: string): number => agents.kernel.log.filter(({ msg }) => msg === text).length

    /**
     * Resolves when no byte has the marker, or with the places that still have it after three purges that began
     * once everything was deleted: what is deleted in the background, and with its last reader, comes later than
     * the rest. Time passes between purges alone: after a slow one the database rests twenty times as long as it took.
     */
    const lastPlaces = async (): Promise<readonly string[]> => {
      const last = linesWith(purgeBegun) + 3
      for (;;) {
        const ended = linesWith(purgeEnded)
        const places = await markersBelow(data)
        if (places.length === 0 || ended >= last) return places
        if (ended === linesWith(purgeBegun)) await time.pass(30_000)
        await delay(50)
      }
    }

    const logged = (): readonly string[] => markersIn(Buffer.from(JSON.stringify(agents.kernel.log)))

    it('a chat leaves no byte in any file, and none in a backup', async () => {
      const other = await agents.person('bob')
      const doomed: string[] = []
      const kept: string[] = []
      for (let round = 0; round < rounds; round += 1) {
        doomed.push(await chatAbout(admin, `${marker}chat${'abcdefghijklmnop'[round] ?? ''}`))
        kept.push(await chatAbout(round % 2 === 0 ? admin : other, `keptchat${'abcdefghijklmnop'[round] ?? ''}`))
      }
      expect(await markersBelow(data), 'it is found while it is there').to.have.length.greaterThan(10)
      for (const id of doomed) for (const place of ['', 'bin/']) await send(admin, 'DELETE', `/api/chats/${place}${id}`)
      expect(await lastPlaces()).to.deep.equal([])
      await send(admin, 'POST', '/api/admin/backups')
      expect(await markersBelow(data)).to.deep.equal([])
      expect(logged()).to.deep.equal([])
      for (const [round, id] of kept.entries()) {
        const { items } = await send(round % 2 === 0 ? admin : other, 'GET', `/api/chats/${id}/messages`)
        expect(JSON.stringify(items)).to.include('keptchat')
      }
    })

    it('a file, a token, an agent and a space leave no byte', async () => {
      await send(admin, 'PUT', `/api/files/content?path=files/${marker}folder/${marker}file.txt`, `${marker}content`, {
        'content-type': 'text/plain',
      })
      const token = await send(
        admin,
        'POST',
        '/api/auth/tokens',
        { name: `${marker}token`, scopes: ['read'] },
        { 'idempotency-key': 'once' },
      )
      const agent = await send(admin, 'POST', '/api/agents', {
        handle: 'doomed',
        name: `${marker}agent`,
        instructions: `${marker}instructions`,
      })
      const space = await send(admin, 'POST', '/api/spaces', { name: `${marker}space`, description: `${marker}about` })
      expect(await markersBelow(data)).to.have.length.greaterThan(4)
      await send(admin, 'DELETE', `/api/files/content?path=files/${marker}folder/${marker}file.txt`)
      await send(admin, 'DELETE', `/api/files/content?path=files/${marker}folder`)
      await send(admin, 'DELETE', `/api/auth/tokens/${String(token['id'])}`)
      await send(admin, 'DELETE', `/api/agents/${String(agent['id'])}`)
      await send(admin, 'DELETE', `/api/spaces/${String(space['id'])}`)
      expect(await lastPlaces()).to.deep.equal([])
      expect(logged()).to.deep.equal([])
    })

    it('an account leaves no byte except its name, which is never reused', async () => {
      const doomed = await agents.person('carol')
      await send(doomed, 'PATCH', '/api/auth/me', { name: `${marker}name` })
      for (let round = 0; round < 4; round += 1) await chatAbout(doomed, `${marker}user${'abcd'[round] ?? ''}`)
      await send(doomed, 'PUT', `/api/files/content?path=files/${marker}file.txt`, `${marker}content`, { 'content-type': 'text/plain' })
      await send(doomed, 'POST', '/api/auth/tokens', { name: `${marker}token`, scopes: ['read'] })
      await send(doomed, 'POST', '/api/spaces', { name: `${marker}space` })
      await send(doomed, 'PATCH', `/api/agents/${doomed.agentId}`, { instructions: `${marker}instructions` })
      const keptChat = await chatAbout(admin, 'keptchat')
      expect(await markersBelow(data)).to.have.length.greaterThan(10)
      await send(admin, 'DELETE', `/api/admin/users/${doomed.userId}`)
      expect(await lastPlaces()).to.deep.equal([])
      await send(admin, 'POST', '/api/admin/backups')
      expect(await markersBelow(data)).to.deep.equal([])
      expect(logged()).to.deep.equal([])
      expect(JSON.stringify(await send(admin, 'GET', `/api/chats/${keptChat}/messages`))).to.include('keptchat')
    })

    it('would be found if it were there', async () => {
      const folder = path.join(data, 'planted')
      await mkdir(folder)
      await writeFile(path.join(folder, 'wide'), Buffer.concat([Buffer.alloc(4_097, 1), Buffer.from(`${marker}x`, 'utf16le').swap16()]))
      await writeFile(path.join(folder, 'plain'), Buffer.concat([Buffer.alloc(70_000, 255), Buffer.from(marker.toUpperCase())]))
      await writeFile(path.join(folder, `${marker}name`), '')
      expect(await markersBelow(folder)).to.have.length(3)
    })
  })
}
