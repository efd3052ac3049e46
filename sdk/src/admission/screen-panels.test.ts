import { expect } from 'chai'
import { type ConsolePanel, consolePanels, defineConsolePanel, type PanelScreen } from '../contracts/console-panel/index.js'
import type { PluginPermission } from '../manifest/plugin-manifest.js'
import { contractPoints } from './known-points.js'
import { checkSetup } from './setup-lines.js'

const panel = (id: string, content: Partial<PanelScreen> = {}, more: Partial<ConsolePanel> = {}): ConsolePanel => ({
  ...defineConsolePanel({
    id,
    title: { en: 'Dice' },
    group: 'main',
    content: { kind: 'screen', folder: '/plugins/dice/web', screen: 'dice', ...content },
  }),
  ...more,
})
const scripts: PluginPermission = { kind: 'console', reason: 'Draws dice.' }

function verdictOf(
  panels: readonly ConsolePanel[],
  plugin: { readonly builtIn: boolean; readonly permissions?: readonly PluginPermission[] },
) {
  const { builtIn, permissions = [] } = plugin
  return checkSetup(
    { contributions: panels.map((contribution) => ({ point: consolePanels as never, contribution })), services: new Map() },
    { plugin: { id: 'tool-dice', builtIn, manifest: { permissions } }, manifest: {}, collections: [], knownPoints: contractPoints },
  )
}
const linesOf = (...given: Parameters<typeof verdictOf>): readonly string[] => verdictOf(...given).lines

describe('a panel that runs in the page of the console', () => {
  it('of a third party needs a permission, which the message shows', () => {
    for (const permissions of [[], [{ kind: 'network', reason: 'Asks.' }] as const]) {
      const [line, ...more] = linesOf([panel('tool-dice')], { builtIn: false, permissions })
      expect(line).to.match(
        /“tool-dice” to console\.panel is not valid: .*rights of whoever is signed in.*\{ kind: 'console', reason: … \}/,
      )
      expect(more).to.deep.equal([])
    }
    expect(linesOf([panel('tool-dice')], { builtIn: false, permissions: [scripts] })).to.deep.equal([])
    expect(linesOf([panel('tasks')], { builtIn: true })).to.deep.equal([])
  })

  it('has pages below its own address, and others only if it is built in', () => {
    const chosen = panel('tool-dice', { routes: ['/dice', '/dice/:rollId'] })
    expect(linesOf([chosen], { builtIn: false, permissions: [scripts] }).join()).to.contain(
      '/content/routes must be absent: only built-in plugins choose',
    )
    expect(verdictOf([chosen], { builtIn: true }).contributions[0]?.claims).to.deep.equal(['/dice', '/dice/:…'])
    expect(
      verdictOf([panel('tool-dice', {}, { group: 'admin' })], { builtIn: false, permissions: [scripts] }).contributions[0]?.claims,
    ).to.deep.equal(['/admin/panels/tool-dice', '/admin/panels/tool-dice/*'])
    for (const group of ['user', 'set_up'] as const)
      expect(verdictOf([panel('tool-dice', {}, { group })], { builtIn: true }).contributions[0]?.claims).to.deep.equal([])
  })

  it('shares no page with another of its plugin, whatever its parameters are called', () => {
    const panels = [panel('dice', { routes: ['/dice/:rollId'] }), panel('cards', { routes: ['/cards', '/dice/:cardId'] })]
    expect(linesOf(panels, { builtIn: true })).to.deep.equal([
      'Plugin “tool-dice” claims “/dice/:…” for “cards” of console.panel, which another of its contributions has.',
    ])
  })
})
