import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type Api, signIn } from '../support/api.js'
import { type FolderContents, type Json, type PersonContents, readAdministration, readPerson } from './folder-contents.js'
import { unpackUpgradeFolder, upgradeEnvironment, upgradeFolders } from './upgrade-folders.js'
import { startUpgradeModel, type UpgradeModel } from './upgrade-model.js'

/** What a run that went on, a new sign-in or the time of day changes. */
const changing = new Set([
  'updated_at',
  'last_used_at',
  'active_run_id',
  'message_count',
  'event_id',
  'alternatives',
  'checked_at',
  'check',
])

for (const release of readdirSync(upgradeFolders).sort()) {
  describe(`A data folder of ${release}`, () => {
    let model: UpgradeModel
    let folder: string
    let contents: FolderContents
    let kernel: TestKernel
    const people = new Map<string, Api>()

    before(async () => {
      model = await startUpgradeModel()
      model.hurry()
      const unpacked = await unpackUpgradeFolder(release)
      folder = unpacked.folder
      contents = unpacked.contents
      kernel = await createTestKernel({ folder, environment: upgradeEnvironment(model.url) })
      for (const { username } of contents.people) people.set(username, await signIn(kernel.url, username, contents.password))
    })
    after(async () => {
      await kernel.stop()
      await model.close()
      await rm(folder, { recursive: true, force: true })
    })

    const apiOf = (username: string): Api => {
      const api = people.get(username)
      if (api === undefined) throw new Error(`${username} has not signed in.`)
      return api
    }

    it('opens, and its open runs end', async function () {
      this.timeout(60_000)
      for (const [username, runs] of Object.entries(contents.openRuns)) {
        for (const run of runs) expect(await endOf(apiOf(username), run), run).to.equal('completed')
      }
    })

    it('keeps the data of its people: profile, agents, spaces, chats with their branches and messages, tokens and files', async () => {
      for (const person of contents.people) {
        const files = Object.keys(person.files)
        const now = await readPerson(apiOf(person.username), person.username, { day: contents.day, files })
        expect(now.files).to.deep.equal(person.files)
        expectKept(now.profile, person.profile, 'profile')
        for (const name of ['agents', 'spaces', 'tokens'] as const) expectItemsKept(now[name], person[name], name)
        expectChatsKept(now, person)
        expectUsageKept(now.usage, person.usage)
      }
    })

    it('keeps its users, credentials, policies and budgets', async () => {
      const now = await readAdministration(apiOf('ada'))
      for (const name of ['users', 'credentials', 'policies'] as const) expectItemsKept(now[name], contents.admin[name], name)
      expect(now.budgets).to.deep.equal(contents.admin.budgets)
    })

    it('accepts its personal access token', async () => {
      const response = await fetch(`${kernel.url}/api/auth/me`, { headers: { authorization: `Bearer ${contents.token}` } })
      expect(response.status).to.equal(200)
      expect(await response.json()).to.include({ username: 'ada' })
    })
  })
}

/** Answers what the run asks, where the question has not expired, and waits for its end. */
async function endOf(api: Api, runId: string): Promise<string> {
  const look = async (): Promise<string | undefined> => {
    const { status, body } = await api.request('GET', `/api/runs/${runId}`)
    expect(status).to.equal(200)
    if (['completed', 'failed', 'cancelled'].includes(String(body['status']))) return String(body['status'])
    for (const call of body['asking'] as readonly string[]) {
      const answered = await api.request('POST', `/api/runs/${runId}/approvals/${call}`, { decision: 'answer', note: 'blue' })
      expect(answered.status, JSON.stringify(answered.body)).to.be.oneOf([200, 409])
    }
    return undefined
  }
  return eventually(look, { what: `the end of the run ${runId}` })
}

/** Every member that was there says the same, whatever came since. */
function expectKept(now: Json, before: Json, what: string): void {
  for (const [name, value] of Object.entries(before)) {
    if (!changing.has(name)) expect(withoutUpdate(now[name]), `${what}: ${name}`).to.deep.equal(withoutUpdate(value))
  }
}

/** A release may change a shared agent, which then has an update for its copies. */
function withoutUpdate(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('update_available' in value)) return value
  const { update_available: _, ...rest } = value
  return rest
}

function expectItemsKept(now: readonly Json[], before: readonly Json[], what: string): void {
  for (const item of before) {
    const found = now.find(({ id }) => id === item['id'])
    expect(found, `${what} ${String(item['id'])}`).to.not.equal(undefined)
    expectKept(found ?? {}, item, `${what} ${String(item['id'])}`)
  }
}

function expectChatsKept(now: PersonContents, before: PersonContents): void {
  expect(now.chats.map(({ chat }) => chat['id'])).to.have.members(before.chats.map(({ chat }) => chat['id']))
  for (const { chat, branches, messages } of before.chats) {
    const found = now.chats.find((candidate) => candidate.chat['id'] === chat['id'])
    const name = `the chat ${String(chat['title'])}`
    expectKept(found?.chat ?? {}, chat, name)
    expectItemsKept(found?.branches ?? [], branches.map(withoutCounts), `${name}, branches`)
    expectItemsKept(
      found?.messages ?? [],
      messages.filter(({ status }) => status === 'complete'),
      `${name}, messages`,
    )
  }
}

/** A branch on which a run went on is longer now. */
function withoutCounts(branch: Json): Json {
  return Object.fromEntries(Object.entries(branch).filter(([, value]) => typeof value !== 'number'))
}

/** A call that the kill cut off is accounted on the same day where the folder is opened on it. */
function expectUsageKept(now: Json, before: Json): void {
  expect(numbersIn(before['items'])).to.not.deep.equal([])
  expect(sum(numbersIn(now['items']))).to.be.at.least(sum(numbersIn(before['items'])))
}

const numbersIn = (value: unknown): readonly number[] => {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
