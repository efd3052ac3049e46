import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

const sdk = import.meta.resolve('@agent-service/sdk')
const routes = import.meta.resolve('@agent-service/sdk/contracts/http-route')

/**
 * Writes two plugins below a folder and gives their folders: `leaky-route`, whose routes fail with
 * this text in their errors, and `leaky-setup`, which fails with it before it is there.
 */
export function writeLeakyPlugins(parent: string, text: string): Promise<readonly string[]> {
  const leak = JSON.stringify(text)
  return Promise.all([
    write(
      path.join(parent, 'leaky-route'),
      `
const fail = async ({ query }) => {
  const error = new Error('The vendor said no to ' + ${leak}, { cause: { headers: { authorization: 'Bearer ' + ${leak} } } })
  error.config = { url: 'https://vendor.example/?key=' + encodeURIComponent(${leak}), password: ${leak} }
  if (query.how === 'problem') throw notFoundError.create({ what: ${leak} }, { cause: error })
  throw error
}
const route = (id, path) => context.contribute(httpRoutes, defineRoute({
  method: 'GET', path: '/api/plugins/leaky-route/' + path, operationId: id, summary: 'Fails', auth: 'user',
  query: Type.Object({ how: Type.Optional(Type.String()) }), answers: { 204: { description: 'Never.' } }, handle: fail,
}))
context.log.info('Ready with ' + ${leak}, { token: ${leak}, list: [${leak}] })
route('leakyRouteFail', 'fail')`,
    ),
    write(path.join(parent, 'leaky-setup'), `throw new Error('Cannot sign in with ' + ${leak}, { cause: new Error(${leak}) })`),
  ])
}

async function write(folder: string, setup: string): Promise<string> {
  const manifest = { id: path.basename(folder), apiVersion: 1, description: 'Leaks, for a test.', contributes: ['http.route'] }
  await mkdir(folder, { recursive: true })
  const file = (name: string, content: string): Promise<void> => writeFile(path.join(folder, name), content)
  await file(
    'package.json',
    JSON.stringify({ name: manifest.id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }),
  )
  await file('plugin.json', JSON.stringify({ ...manifest, version: '1.0.0', entry: './index.js' }))
  await file(
    'index.js',
    `import { definePlugin, Type } from ${JSON.stringify(sdk)}
import { defineRoute, httpRoutes, notFoundError } from ${JSON.stringify(routes)}
export default definePlugin({
  manifest: ${JSON.stringify(manifest)},
  async setup(context) {
    ${setup}
  },
})
`,
  )
  return folder
}
