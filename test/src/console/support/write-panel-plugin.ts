import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

const sdk = (name = ''): string => JSON.stringify(import.meta.resolve(`@agent-service/sdk${name}`))

/**
 * Writes a plugin whose panels are drawn by the given modules, by id; `undefined` names a file that
 * is missing. Its own route `GET /api/plugins/<id>/me` answers with the name of the caller.
 */
export async function writePanelPlugin(folder: string, id: string, modules: Readonly<Record<string, string | undefined>>): Promise<string> {
  const place = path.join(folder, id)
  const manifest = { id, apiVersion: 1, contributes: ['console.panel', 'http.route'] }
  await mkdir(place, { recursive: true })
  const about = { name: id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }
  await writeFile(path.join(place, 'package.json'), JSON.stringify(about))
  await writeFile(path.join(place, 'plugin.json'), JSON.stringify({ ...manifest, version: '1.0.0', entry: './index.js' }))
  for (const [name, text] of Object.entries(modules)) if (text !== undefined) await writeFile(path.join(place, `${name}.js`), text)
  const panels = Object.keys(modules).map((name) => ({
    ...{ specVersion: 1, id: `${id}-${name}`, title: { en: name, de: name }, group: 'main' },
    content: { kind: 'component', element: 'test-panel', module: path.join(place, `${name}.js`) },
  }))
  await writeFile(
    path.join(place, 'index.js'),
    `import { definePlugin } from ${sdk()}
    import { consolePanels } from ${sdk('/contracts/console-panel')}
    import { defineRoute, httpRoutes, ok } from ${sdk('/contracts/http-route')}
    import { Type } from ${sdk()}
    export default definePlugin({
      manifest: ${JSON.stringify(manifest)},
      setup(context) {
        for (const panel of ${JSON.stringify(panels)}) context.contribute(consolePanels, panel)
        const answers = { 200: { description: 'The caller.', schema: Type.Object({ username: Type.String() }) } }
        const about = { method: 'GET', path: '/api/plugins/${id}/me', operationId: '${operationOf(id)}Me', summary: 'Names the caller' }
        context.contribute(httpRoutes, defineRoute({ ...about, auth: 'user', answers, handle: async ({ principal }) => ok({ username: principal.username }) }))
      },
    })`,
  )
  return place
}

const operationOf = (id: string): string => id.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** A module whose element does some work and shows what came of it as JSON. */
export const panelModule = (work: string, before = ''): string => `${before}
customElements.define('test-panel', class extends HTMLElement {
  async connectedCallback() {
    const result = await (async () => { ${work} })()
    const shown = document.createElement('pre')
    shown.id = 'result'
    shown.textContent = JSON.stringify(result)
    this.append(shown)
  }
})`
