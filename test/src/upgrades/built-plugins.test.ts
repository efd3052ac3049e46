import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { endOf, type SeenMessage, textOf } from '../agents/support/agents-kernel.js'
import { type Api, signUp } from '../support/api.js'
import { builtPlugins, unpackBuiltPlugins } from './built-plugins.js'

for (const archive of readdirSync(builtPlugins).sort()) {
  describe(`Plugins built with the SDK of ${path.basename(archive, '.tar.gz')}`, () => {
    let folder: string
    let plugins: readonly string[]
    let kernel: TestKernel
    let ada: Api

    before(async () => {
      const unpacked = await unpackBuiltPlugins(archive)
      folder = unpacked.folder
      plugins = unpacked.plugins
      kernel = await createTestKernel({
        plugins,
        environment: {
          SERVICE_PROVIDERS: JSON.stringify({ demo: { provider: 'demo', adapter: 'adapter_scripted', base_url: 'http://demo.invalid' } }),
          SERVICE_MODELS: JSON.stringify({ primary: { provider: 'demo', model: 'scripted', api: 'scripted' } }),
          SERVICE_PLUGINS_SETTINGS: JSON.stringify({ 'tool-dice': { sides: 2 } }),
          SERVICE_MEMORY_BACKEND: 'markdown',
        },
      })
      ada = await signUp(kernel.url, 'ada')
    })
    after(async () => {
      await kernel?.stop()
      await rm(folder, { recursive: true, force: true })
    })

    it('run', () => {
      const states = kernel.plugins.report().filter(({ source }) => plugins.includes(source))
      expect(states).to.have.length(plugins.length)
      for (const { id, state, reason } of states) expect({ id, state, reason }).to.deep.equal({ id, state: 'active', reason: null })
    })

    it('serve their routes and keep their documents', async () => {
      const entries = '/api/plugins/feature-journal/entries'
      expect((await ada.request('PUT', '/api/plugins/feature-journal/notebooks/days')).status).to.be.lessThan(300)
      expect((await ada.request('POST', entries, { notebook: 'days', text: 'Rain again.' })).status).to.equal(201)
      const { items } = (await ada.request('GET', entries)).body as { readonly items: readonly { readonly text: string }[] }
      expect(items.map(({ text }) => text)).to.deep.equal(['Rain again.'])
    })

    it('answer for a model, and their tools are called', async () => {
      const agents = (await ada.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
      await ada.request('PATCH', `/api/agents/${agents[0]?.id}`, { tools: ['tool_dice__roll_dice'] })
      const stream = await ada.stream()
      const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
      const posted = await ada.request('POST', `/api/chats/${chat}/messages`, { content: 'call roll_dice {"count": 2}' })
      expect((await endOf(stream, (posted.body['run'] as { readonly id: string }).id)).name).to.equal('run.completed')
      stream.close()
      const messages = (await ada.request('GET', `/api/chats/${chat}/messages`)).body['items'] as readonly SeenMessage[]
      expect(messages.map((message) => textOf(message)).join('\n')).to.match(/\{"rolled":\[[12],[12]\]\}/)
    })
  })
}
