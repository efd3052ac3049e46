type Members = Readonly<Record<string, unknown>>

/** What the package.json of a new plugin depends on. */
export interface PackageOptions {
  readonly id: string
  /** The existing members of the folder's package.json. */
  readonly before: Members
  /** The version of this SDK. */
  readonly sdk: string
  /** Where the SDK comes from, `file:…`; absent: from the registry, by its version. */
  readonly sdkSpecifier: string | undefined
}

/** Versions that the templates were tried with. */
const tools = { '@types/node': '20.19.25', typescript: '7.0.2' }

/**
 * The members of package.json: those that are there stay, except what makes a module of a plugin.
 */
export function packageMembers({ id, before, sdk, sdkSpecifier }: PackageOptions): Members {
  const { main: _main, dependencies, devDependencies, scripts, ...kept } = before
  const { '@agent-service/sdk': _sdk, ...otherDependencies } = recordOf(dependencies)
  return {
    name: id,
    version: '0.1.0',
    description: 'A plugin for Agent Service.',
    ...kept,
    type: 'module',
    keywords: [...new Set([...(Array.isArray(kept['keywords']) ? kept['keywords'] : []), 'agent-service-plugin'])],
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' },
    files: ['dist', 'README.md', '!dist/**/*.test.*', '!dist/.tsbuildinfo'],
    agentService: { plugin: './dist/plugin.json' },
    scripts: {
      ...recordOf(scripts),
      build: 'tsc && agent-service-plugin build',
      test: 'npm run build && node --test dist/*.test.js',
      validate: 'agent-service-plugin validate',
      dev: 'agent-service-plugin dev',
    },
    ...(Object.keys(otherDependencies).length > 0 && { dependencies: otherDependencies }),
    peerDependencies: { ...recordOf(before['peerDependencies']), '@agent-service/sdk': `^${sdk}` },
    devDependencies: { '@agent-service/sdk': sdkSpecifier ?? sdk, ...tools, ...recordOf(devDependencies) },
  }
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
