import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, signUp } from '../../support/api.js'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, openWebModules } from '../support/web-modules.js'

interface Channel {
  readonly id: string
  readonly connection: { readonly properties: Readonly<Record<string, { readonly description?: string }>> }
  readonly set_up: readonly { readonly title: string; readonly text: string }[]
}

interface Words {
  readonly members: Readonly<Record<string, { readonly title: string; readonly description?: string }>>
  readonly steps: readonly { readonly of: string; readonly text: string }[]
}

describe('the German words of channels', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  let ada: Api
  before(async () => {
    kernel = await createTestKernel()
    ada = await signUp(kernel.url, 'ada')
  })
  after(async () => {
    await closeBrowser()
    await kernel?.stop()
  })

  it('are there for every member and every step of our channels, and name the address where the English ones do', async () => {
    const { page } = await openPage({ url: 'http://console.localhost' })
    await openWebModules(page, await bundleWebModules(['plugins/feature-channels/web/channels/words/german.ts']))
    const german = (await page.evaluate('web.german')) as Readonly<Record<string, Words>>
    const all = (await ada.request('GET', '/api/channels?limit=200')).body['items'] as readonly Channel[]
    expect(all.map(({ id }) => id)).to.include.members(['discord', 'slack', 'telegram', 'webhook'])
    const missing = all.flatMap((channel) => missingIn(channel, german[channel.id]))
    expect(missing).to.deep.equal([])
  })
})

function missingIn({ id, connection, set_up: steps }: Channel, words: Words | undefined): readonly string[] {
  const ofMembers = Object.entries(connection.properties).flatMap(([name, { description }]) => {
    const found = words?.members[name]
    return found && (found.description === undefined) === (description === undefined) ? [] : [`${id}: the member ${name}`]
  })
  const ofSteps = steps.flatMap(({ title, text }) => {
    const found = words?.steps.find(({ of }) => of === title)
    const isWhole = found && found.text.includes('{webhook_url}') === text.includes('{webhook_url}')
    return isWhole && found.text.includes('{code}') === text.includes('```') ? [] : [`${id}: the step “${title}”`]
  })
  return [...ofMembers, ...ofSteps]
}
