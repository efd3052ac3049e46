import { fakeApi, render, screen, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../../api/schema.js'
import Plugins from './plugins.js'
import { pluginOf } from './test-support/plugin-of.js'

describe('plugins that start when they are used', () => {
  it('are on, say so, and are among what stops with what they use', async () => {
    const plugins = [pluginOf('tool-dice', { state: 'ready', requires: ['luck'] }), pluginOf('luck', { provides: ['luck'] })]
    fakeApi<paths>({
      'get /api/admin/plugins': () => ({ items: plugins, next_cursor: null }),
      'get /api/admin/plugins/data': () => ({ items: [], next_cursor: null }),
    })
    const { user } = render(() => <Plugins />, { at: '/admin/plugins', admin: true })
    const row = (await screen.findByText('tool-dice')).closest<HTMLElement>('[data-plugin]')
    if (row === null) throw new Error('There is no row of the plugin.')
    expect(within(row).getByText('Ready')).to.not.equal(null)
    expect(within(row).getByText('It starts when it is first used.')).to.not.equal(null)
    expect(within(row).getByRole('switch')).to.have.property('checked', true)
    await user.click(screen.getByRole('switch', { name: /luck/ }))
    expect((await screen.findByRole('dialog')).textContent).to.contain('tool-dice')
  })
})
