import { channelSources } from './sources/channel.js'
import { commandSources } from './sources/command.js'
import { consolePanelSources } from './sources/console-panel.js'
import { doctorCheckSources } from './sources/doctor-check.js'
import { jobSources } from './sources/job.js'
import { memoryBackendSources } from './sources/memory-backend.js'
import type { PluginSources } from './sources/plugin-sources.js'
import { policyEngineSources } from './sources/policy-engine.js'
import { promptSectionSources } from './sources/prompt-section.js'
import { providerSources } from './sources/provider.js'
import { routeSources } from './sources/route.js'
import { runHookSources } from './sources/run-hook.js'
import { searchProviderSources } from './sources/search-provider.js'
import { toolSources } from './sources/tool.js'
import { toolSourceSources } from './sources/tool-source.js'
import { userDataSources } from './sources/user-data.js'
import { vaultConnectorSources } from './sources/vault-connector.js'
import { websocketRouteSources } from './sources/websocket-route.js'

/** The kinds of plugins that can be begun. */
export const pluginKinds = [
  ...(['tool', 'tool-source', 'prompt-section', 'run-hook', 'route', 'websocket-route', 'job', 'command', 'doctor-check'] as const),
  ...([
    'user-data',
    'console-panel',
    'provider',
    'memory-backend',
    'search-provider',
    'vault-connector',
    'channel',
    'policy-engine',
  ] as const),
] as const

/** One of them. */
export type PluginKind = (typeof pluginKinds)[number]

const sourcesOf: Readonly<Record<PluginKind, (id: string) => PluginSources>> = {
  tool: toolSources,
  route: routeSources,
  job: jobSources,
  command: commandSources,
  provider: providerSources,
  'tool-source': toolSourceSources,
  'prompt-section': promptSectionSources,
  'websocket-route': websocketRouteSources,
  'run-hook': runHookSources,
  'doctor-check': doctorCheckSources,
  'user-data': userDataSources,
  'console-panel': consolePanelSources,
  'memory-backend': memoryBackendSources,
  'search-provider': searchProviderSources,
  'vault-connector': vaultConnectorSources,
  channel: channelSources,
  'policy-engine': policyEngineSources,
}

/** Every file of a new plugin except package.json, by its path. */
export function projectFiles(kind: PluginKind, id: string): Readonly<Record<string, string>> {
  const { index, test, more = {} } = sourcesOf[kind](id)
  return {
    'src/index.ts': index,
    'src/index.test.ts': test,
    ...Object.fromEntries(Object.entries(more).map(([name, text]) => [`src/${name}`, text])),
    'tsconfig.json': `${JSON.stringify(compilerConfiguration, null, 2)}\n`,
    'README.md': readme(id),
    '.gitignore': 'node_modules/\ndist/\n.agent-service/\n',
  }
}

const compilerConfiguration = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    module: 'nodenext',
    rootDir: 'src',
    outDir: 'dist',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    declaration: true,
    incremental: true,
    tsBuildInfoFile: 'dist/.tsbuildinfo',
  },
  include: ['src'],
}

const readme = (id: string): string => `# ${id}

A plugin for Agent Service.

\`\`\`sh
npm install
npm test            # compiles, writes dist/plugin.json, runs the tests
npm run validate    # reports what a deployment would refuse
npm run dev         # a demo service with the plugin, restarted on change
\`\`\`

To run it, name this folder in the configuration of a service:

\`\`\`yaml
plugins:
  sources: [/path/to/${id}]
\`\`\`
`
