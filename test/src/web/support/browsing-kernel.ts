import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type SitePages, startChromium, startSite, type TestSite } from '@agent-service/feature-browser/testing'
import { type AgentsKernel, startAgentsKernel } from '../../agents/support/agents-kernel.js'
import { openPorts } from './open-ports.js'

/** The whole product with a real Chromium as its browser service, and one site on the loopback that pages may reach. */
export interface BrowsingKernel extends AgentsKernel {
  readonly site: TestSite
  /** Where the site is: `http://site.test:…`. */
  readonly home: string
}

/** Starts all three. The site is at every name that ends with `.test`; everything else that is not public stays closed. */
export async function startBrowsingKernel(pages: SitePages, environment: Readonly<Record<string, string>> = {}): Promise<BrowsingKernel> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-browsing-'))
  const ends: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })]
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
    const site = await startSite(pages)
    openPorts.add(site.port)
    ends.push(() => {
      openPorts.delete(site.port)
      site.close()
    })
    const chromium = await startChromium()
    ends.push(() => chromium.stop())
    const agents = await startAgentsKernel({
      builtInFolder: await linkBuiltIns(folder),
      environment: { SERVICE_BROWSER_WS_URL: chromium.url, ...environment },
    })
    ends.push(() => agents.close())
    const found = agents.kernel.plugins.report().find(({ id }) => id === browser)
    if (found?.state !== 'active') throw new Error(`The browser plugin is ${found?.state}: ${found?.reason}`)
    const { restart, person } = agents
    return {
      ...{ site, home: `http://site.test:${site.port}`, restart, person, close },
      get kernel() {
        return agents.kernel
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

const builtIns = fileURLToPath(new URL('../../../../plugins', import.meta.url))
const browser = 'feature-browser'

/** A folder with the built-in plugins as they are, but for what the browser's takes for public. */
async function linkBuiltIns(folder: string): Promise<string> {
  const linked = path.join(folder, 'plugins')
  const [product, own] = [path.join(builtIns, browser), path.join(linked, browser)]
  await mkdir(path.join(own, 'dist/configuration'), { recursive: true })
  for (const id of await readdir(builtIns)) if (id !== browser) await symlink(path.join(builtIns, id), path.join(linked, id))
  // Its own files may not be links that lead elsewhere.
  for (const name of ['package.json', 'dist/plugin.json']) await copyFile(path.join(product, name), path.join(own, name))
  const module = (name: string): string => JSON.stringify(pathToFileURL(path.join(product, 'dist', name)).href)
  await writeFile(path.join(own, 'dist/configuration/rules.js'), `export { rules } from ${module('configuration/rules.js')}\n`)
  await writeFile(
    path.join(own, 'dist/index.js'),
    `import { createBrowserPlugin, guardFor } from ${module('testing/index.js')}
import { openPorts } from ${JSON.stringify(new URL('open-ports.js', import.meta.url).href)}
export default createBrowserPlugin({ guard: guardFor(() => [...openPorts], { 'inner.test': ['10.0.0.1'], 'metadata.test': ['169.254.169.254'] }) })
`,
  )
  return linked
}
