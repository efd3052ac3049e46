import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { databaseToken } from '@agent-service/kernel/testing/tokens'
import { defineCollection } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
const model = { provider: 'demo', model: 'scripted', api: 'scripted', price: { input: 20_000, output: 90_000 } }

/** Documents of a plugin that is not installed. */
const leftBehind = { name: 'garden.beds', version: 1, indexes: { by_user: { fields: ['user_id'] } }, userField: 'user_id' } as const

/** Calls the API as the person of a page does. */
const call = (page: ConsolePage['page'], method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }> =>
  page.evaluate(
    async ([how, where, what]) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(String(where), { method: String(how), headers, ...(what !== null && { body: JSON.stringify(what) }) })
      const text = await answer.text()
      return { status: answer.status, json: text === '' ? null : (JSON.parse(text) as unknown) }
    },
    [method, path, body ?? null] as const,
  )

/** Has a model answer for the person of a page. */
async function ask(page: ConsolePage['page']): Promise<void> {
  const chat = (await call(page, 'POST', '/api/chats', { model: 'primary' })).json as { readonly id: string }
  expect((await call(page, 'POST', `/api/chats/${chat.id}/messages`, { content: 'How much is this?' })).status).to.be.lessThan(300)
  const usage = async () => (await call(page, 'GET', '/api/usage')).json as { readonly items: readonly unknown[] }
  while ((await usage()).items.length === 0) await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
}

describe('administering users in the console', function () {
  this.timeout(120_000)
  let kernel: TestKernel
  let admin: ConsolePage
  before(async () => {
    kernel = await createTestKernel({
      plugins: [fileURLToPath(new URL('../../../examples/provider-scripted', import.meta.url))],
      environment: {
        SERVICE_PROVIDERS: JSON.stringify({ demo: { provider: 'demo', adapter: 'adapter_scripted', base_url: 'http://demo.invalid' } }),
        SERVICE_MODELS: JSON.stringify({ primary: model }),
      },
    })
    admin = await openPage(kernel, { credentials: ada, at: 'none' })
    admin.page.setDefaultTimeout(15_000)
  })
  after(async () => {
    await admin.close()
    await closeBrowser()
    await kernel.stop()
  })

  /** The only account with this name, as the API has it. */
  const userNamed = async (username: string): Promise<{ readonly id: string; readonly [member: string]: unknown }> => {
    const { json } = await call(admin.page, 'GET', `/api/admin/users?search=${username}`)
    const [user] = (json as { readonly items: readonly { readonly id: string }[] }).items
    if (!user) throw new Error(`There is no account ${username}.`)
    return user
  }
  let password = ''

  it('creates an account with a password that is shown once and works', async () => {
    const { page, open, inspect, complaints } = admin
    await open('/admin/users')
    await page.getByRole('button', { name: 'Create account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Username').fill('ada')
    const first = await dialog.locator('.users-secret code').innerText()
    await dialog.getByRole('button', { name: 'Another' }).click()
    expect(await dialog.locator('.users-secret code').innerText()).to.not.equal(first)
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await dialog.getByText('is taken').waitFor()
    await dialog.getByLabel('Username').fill('grace')
    await dialog.getByLabel('Name', { exact: true }).fill('Grace Hopper')
    await dialog.getByLabel('E-mail address').fill('grace@example.org')
    expect(await inspect('users-create')).to.deep.equal([])
    password = await dialog.locator('.users-secret code').innerText()
    expect(password).to.match(/^[A-Za-z2-9]{20}$/)
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await dialog.getByText('Account created').waitFor()
    expect(await dialog.locator('.users-secret code').innerText()).to.equal(password)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
    // The browser reports the name that was taken.
    expect(complaints.filter((text) => !text.includes('409'))).to.deep.equal([])
  })

  it('asks who is at the keyboard before it makes an admin, and keeps what was typed', async () => {
    const { page, open } = admin
    await open('/admin/users')
    await page.getByRole('button', { name: 'Create account' }).click()
    const dialog = page.getByRole('dialog').first()
    await dialog.getByLabel('Username').fill('margaret')
    await dialog.getByLabel('Role').selectOption('admin')
    await dialog.getByRole('button', { name: 'Create account' }).click()
    const confirm = page.getByRole('dialog', { name: 'Is it you?' })
    await confirm.getByLabel('Password', { exact: true }).fill(ada.password)
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Give margaret this password now').waitFor()
    expect(await userNamed('margaret')).to.include({ role: 'admin' })
    await page.getByRole('button', { name: 'Done' }).click()
  })

  it('finds, filters, and shows what others change', async () => {
    const { page, open, inspect } = admin
    await call(page, 'POST', '/api/admin/users', { username: 'alan', password: 'a long enough password', name: 'Alan Turing' })
    await call(page, 'PATCH', `/api/admin/users/${(await userNamed('alan')).id}`, { disabled: true })
    await open('/admin/users')
    await page.getByRole('link', { name: 'Alan Turing' }).waitFor()
    expect(await inspect('users')).to.deep.equal([])
    await page.getByLabel('Search').fill('HOPPER')
    await page.getByRole('link', { name: 'Alan Turing' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
    await page.getByLabel('Search').fill('')
    await page.getByLabel('State').selectOption('disabled')
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Alan Turing' }).waitFor()
    await call(page, 'PATCH', `/api/admin/users/${(await userNamed('alan')).id}`, { disabled: false })
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await page.getByText('No account fits').waitFor()
  })

  it('changes name, address and role', async () => {
    const { page, open, inspect } = admin
    const { id } = await userNamed('grace')
    await open(`/admin/users/${id}`)
    await page.getByLabel('Name', { exact: true }).fill('Rear Admiral Hopper')
    await page.getByLabel('E-mail address').fill('not an address')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('must be an e-mail address').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Rear Admiral Hopper')
    await page.getByLabel('E-mail address').fill('hopper@example.org')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { name: 'Rear Admiral Hopper' }).waitFor()
    expect(await userNamed('grace')).to.include({ name: 'Rear Admiral Hopper', email: 'hopper@example.org', role: 'user' })
    expect(await inspect('user-account')).to.deep.equal([])
    await page.getByText('not confirmed').waitFor()
    await page.getByRole('button', { name: 'Vouch for the address' }).click()
    await page.getByText('not confirmed').waitFor({ state: 'detached' })
    expect(await userNamed('grace')).to.include({ email: 'hopper@example.org', email_verified: true })
  })

  it('ends sessions, resets the password, disables and enables', async () => {
    const { page, open, inspect } = admin
    const { id } = await userNamed('grace')
    const one = await openPage(kernel, { credentials: { username: 'grace', password } })
    const other = await openPage(kernel, { credentials: { username: 'grace', password } })
    await open(`/admin/users/${id}`)
    await page.getByRole('tab', { name: 'Sign-in' }).focus()
    await page.keyboard.press('Enter')
    const rows = page.getByRole('list', { name: 'Signed in on' }).getByRole('listitem')
    await rows.nth(1).waitFor()
    expect(await inspect('user-access')).to.deep.equal([])
    await rows.first().getByRole('button').click()
    await rows.nth(1).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByText('This account is signed in nowhere.').waitFor()
    for (const { page: ended } of [one, other]) expect((await call(ended, 'GET', '/api/auth/me')).status).to.equal(401)

    await page.getByRole('button', { name: 'Reset password' }).click()
    const dialog = page.getByRole('dialog')
    const next = await dialog.locator('.users-secret code').innerText()
    await dialog.getByRole('button', { name: 'Reset password' }).click()
    await dialog.getByText('All sessions of Rear Admiral Hopper have ended').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect((await call(one.page, 'POST', '/api/auth/login', { username: 'grace', password })).status).to.equal(401)
    expect((await call(one.page, 'POST', '/api/auth/login', { username: 'grace', password: next })).status).to.equal(200)
    password = next

    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    expect((await call(one.page, 'GET', '/api/auth/me')).status).to.equal(401)
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    await one.close()
    await other.close()
  })

  it('shows usage, and sets and removes a budget', async () => {
    const { page, open, inspect } = admin
    const { id } = await userNamed('grace')
    const grace = await openPage(kernel, { credentials: { username: 'grace', password } })
    await ask(grace.page)
    await open(`/admin/users/${id}`)
    await page.getByRole('tab', { name: 'Usage' }).click()
    await page.locator('.usage-fill-1').first().waitFor()
    await page.getByLabel('Dollars').fill('-1')
    await page.getByText('Use a number that is not negative.').waitFor()
    await page.getByLabel('Dollars').fill('2,5')
    await page.getByRole('button', { name: 'Save budget' }).click()
    await page.getByText('This account has a budget of its own').waitFor()
    expect(await inspect('user-usage')).to.deep.equal([])
    const { json } = await call(grace.page, 'GET', '/api/usage/budget')
    expect((json as { readonly budget: unknown }).budget).to.include({ limit_usd: 2.5, period: 'month' })
    await page.getByLabel('Dollars').fill('')
    await page.getByRole('button', { name: 'Remove budget' }).click()
    await page.getByText('There is no budget').waitFor()
    expect((await call(grace.page, 'GET', '/api/usage/budget')).json).to.deep.equal({ budget: null })
    await grace.close()
  })

  it('has the usage of all users as chart, table and CSV', async () => {
    const { page, open, inspect } = admin
    await open('/admin/usage')
    const row = page.getByRole('row', { name: /grace/ })
    await row.waitFor()
    expect(await inspect('admin-usage')).to.deep.equal([])
    await page.getByRole('button', { name: 'Export' }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Users as CSV' }).click()])
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines[0]).to.equal('user,calls,failed_calls,input_tokens,output_tokens,tokens,cost_usd')
    expect(lines[1]).to.match(/^grace,\d+,0,/)
    await row.getByRole('link', { name: 'grace' }).click()
    await page.getByRole('heading', { name: 'Rear Admiral Hopper' }).waitFor()
  })

  it('shows what an account has, and deletes it only by its name', async () => {
    const { page, open, inspect } = admin
    const { id } = await userNamed('grace')
    const left = defineCollection<{ readonly id: string; readonly user_id: string }>()(leftBehind)
    const database = await kernel.container.resolve(databaseToken).openFor('garden', [left], { thirdParty: true })
    for (const bed of ['north', 'south']) await database.collection(left).put({ id: bed, user_id: id })
    await open(`/admin/users/${id}`)
    await page.getByRole('tab', { name: 'Data' }).click()
    await page.getByRole('row', { name: /garden\.beds garden left by a plugin that is gone 2 / }).waitFor()
    await page
      .getByRole('row', { name: /feature-agents/ })
      .first()
      .waitFor()
    expect(await inspect('user-data')).to.deep.equal([])
    await page.getByRole('button', { name: 'Delete grace' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Delete grace' }).isDisabled()).to.equal(true)
    await dialog.getByLabel('Type grace to delete it').fill('grace')
    expect(await inspect('user-delete')).to.deep.equal([])
    await dialog.getByRole('button', { name: 'Delete grace' }).click()
    await page.getByRole('heading', { name: 'Users' }).waitFor()
    expect((await call(page, 'GET', `/api/admin/users/${id}`)).status).to.equal(404)
  })

  it('is in German too', async () => {
    const german = await openPage(kernel, { credentials: ada, locale: 'de-DE', at: 'none' })
    await german.open('/admin/users')
    await german.page.getByRole('button', { name: 'Konto anlegen' }).waitFor()
    expect(await german.inspect('users-german')).to.deep.equal([])
    // The browser reports that the name was taken when signing up was tried first.
    expect(german.complaints.filter((text) => !text.includes('409'))).to.deep.equal([])
    await german.close()
  })

  it('is for administrators alone', async () => {
    const bob = await openPage(kernel, { credentials: { username: 'bob', password: 'a long enough password' } })
    expect(await bob.page.getByRole('link', { name: 'Administration' }).count()).to.equal(0)
    for (const path of ['/admin/users', '/admin/usage']) {
      await bob.page.goto(path)
      await bob.page.getByRole('heading', { name: 'For admins only' }).waitFor()
    }
    const { id } = await userNamed('ada')
    const routes = [`/api/admin/users`, `/api/admin/users/${id}`, `/api/admin/users/${id}/sessions`, `/api/admin/users/${id}/identities`]
    for (const route of [...routes, `/api/admin/users/${id}/data`, '/api/admin/usage'])
      expect((await call(bob.page, 'GET', route)).status, route).to.equal(403)
    await bob.close()
  })
})
