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

/** The point that a kind of plugin contributes to. */
const pointOf: Readonly<Record<PluginKind, string>> = {
  tool: 'tool',
  route: 'http.route',
  job: 'scheduler.job',
  command: 'cli.command',
  provider: 'provider.adapter',
  'tool-source': 'tool.source',
  'prompt-section': 'agent.prompt-section',
  'websocket-route': 'websocket.route',
  'run-hook': 'agent.run-hook',
  'doctor-check': 'doctor.check',
  'user-data': 'user.data',
  'console-panel': 'console.panel',
  'memory-backend': 'memory.backend',
  'search-provider': 'search.provider',
  'vault-connector': 'vault.connector',
  channel: 'channel',
  'policy-engine': 'policy.engine',
}

/** The kind of plugin that a word means: its name, or the id of its point. */
export const kindOf = (word: string): PluginKind | undefined => pluginKinds.find((kind) => kind === word || pointOf[kind] === word)

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
