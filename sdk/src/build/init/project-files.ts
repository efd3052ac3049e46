import { commandSources } from './sources/command.js'
import { jobSources } from './sources/job.js'
import type { PluginSources } from './sources/plugin-sources.js'
import { promptSectionSources } from './sources/prompt-section.js'
import { providerSources } from './sources/provider.js'
import { routeSources } from './sources/route.js'
import { toolSources } from './sources/tool.js'
import { toolSourceSources } from './sources/tool-source.js'
import { websocketRouteSources } from './sources/websocket-route.js'

/** The kinds of plugins that can be begun. */
export const pluginKinds = ['tool', 'tool-source', 'prompt-section', 'route', 'websocket-route', 'job', 'command', 'provider'] as const

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
}

/** Every file of a new plugin except package.json, by its path. */
export function projectFiles(kind: PluginKind, id: string): Readonly<Record<string, string>> {
  const { index, test } = sourcesOf[kind](id)
  return {
    'src/index.ts': index,
    'src/index.test.ts': test,
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
