/** Who may import whom. Run by the check "dependencies"; CONTRIBUTING.md explains the rule in words. */

const testFiles = '\\.test\\.tsx?$'

/** The sources that run in browsers: the kit of the SDK, and the screens of plugins with what they share. */
const web = '^(sdk|plugins/[^/]+|examples/[^/]+)/web/'

/** Files that nobody imports because something else loads them: entry points of packages, of processes, of threads and of pages. */
const loadedFromOutside = [
  '\\.d\\.ts$',
  '/src/((testing|provider-kit)/)?index\\.ts$',
  '^sdk/src/(contracts/[^/]+/index|services/[^/]+)\\.ts$',
  '^test/src/(bench|campaigns|programs)/',
  '(^|[/-])(worker|child|program)\\.ts$',
  `${web}([^/]+\\.tsx?|screens/[^/]+/(index|start)\\.ts)$`,
  '/adopted-style\\.ts$',
  '^sdk/web/testing/(page|dom-library)\\.(ts|js|d\\.ts)$',
]

/** Our own packages, found or not: by folder once they are compiled, by name before. */
const own = {
  kernel: '^(kernel/|@agent-service/kernel)',
  kernelTesting: '^(kernel/cli/dist/testing/|@agent-service/kernel/testing$)',
  features: '^(plugins|examples|test)/',
}

/** What of the SDK runs in browsers, beside types. */
const sdkForBrowsers = '^sdk/(web|dist/web|dist/kits/markdown)/'

/** The packages of the kernel over its core, but for one: by folder once they are compiled, by name before. */
function otherKernelPackages(own) {
  const names = ['services', 'accounts', 'settings'].filter((name) => name !== own).join('|')
  return [`^kernel/(${names}|cli)/`, `^@agent-service/kernel-(${names})(/|$)`, '^@agent-service/kernel(/|$)']
}

module.exports = {
  forbidden: [
    {
      name: 'no-circular-imports',
      comment: 'Files that import each other have no order in which they can be understood, or be loaded.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nobody imports, and that imports nothing, is forgotten.',
      severity: 'error',
      from: { orphan: true, pathNot: [testFiles, ...loadedFromOutside] },
      to: {},
    },
    {
      name: 'no-unresolvable',
      comment: 'The module cannot be found: a misspelt name, a missing package, or a path that the package does not export.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^@agent-service/' },
    },
    {
      name: 'sdk-imports-only-typebox',
      comment: 'The SDK is what everyone depends on: typebox, Node, and nothing else.',
      severity: 'error',
      from: {
        path: '^sdk/src/',
        pathNot: [
          '^sdk/src/provider-kit/',
          '^sdk/src/kits/(addresses|channels|markdown|memory-index|schedule)/',
          '^sdk/src/build/web/texts/',
          testFiles,
        ],
      },
      to: { pathNot: ['^sdk/src/', '(^|/)node_modules/typebox/', '^typebox'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'build-knows-messages',
      comment: 'The check of the texts of screens, in the build for authors, may use the parser of ICU messages.',
      severity: 'error',
      from: { path: '^sdk/src/build/web/texts/', pathNot: testFiles },
      to: { pathNot: ['^sdk/src/', '(^|/)node_modules/@formatjs/icu-messageformat-parser/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'schedule-kit-knows-cron',
      comment: 'The kit for schedules may use the library for cron expressions.',
      severity: 'error',
      from: { path: '^sdk/src/kits/schedule/', pathNot: testFiles },
      to: { pathNot: ['^sdk/src/', '(^|/)node_modules/croner/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'two-kits-know-markdown',
      comment: 'The kits for channels and for Markdown may use the library that reads it.',
      severity: 'error',
      from: { path: '^sdk/src/kits/(channels|markdown)/', pathNot: testFiles },
      to: { pathNot: ['^sdk/src/', '(^|/)node_modules/marked/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'markdown-kit-runs-in-browsers',
      comment: 'The kit for Markdown is a part of web pages too, where there is nothing of Node.',
      severity: 'error',
      from: { path: '^sdk/src/kits/markdown/', pathNot: testFiles },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'address-kit-knows-addresses',
      comment: 'The kit for addresses may use the library that parses them.',
      severity: 'error',
      from: { path: '^sdk/src/kits/addresses/', pathNot: testFiles },
      to: { pathNot: ['^sdk/src/', '(^|/)node_modules/ipaddr.js/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'memory-index-kit-knows-search',
      comment: 'The kit for the indices of memories may use the search engine.',
      severity: 'error',
      from: { path: '^sdk/src/kits/memory-index/', pathNot: testFiles },
      to: { pathNot: ['^sdk/src/', '(^|/)node_modules/minisearch/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'provider-kit-speaks-http',
      comment: 'What adapters of providers share may use the HTTP client and the parser of event streams.',
      severity: 'error',
      from: { path: '^sdk/src/provider-kit/', pathNot: testFiles },
      to: { pathNot: ['^sdk/src/', '(^|/)node_modules/(undici|eventsource-parser)/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'provider-kit-stands-apart',
      comment: 'Nobody loads an HTTP client who does not call a provider.',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: ['^sdk/src/(provider-kit|testing)/', testFiles] },
      to: { path: '^sdk/src/provider-kit/' },
    },
    {
      name: 'sdk-imports-none-of-ours',
      comment: 'Not even a test of the SDK knows who uses it.',
      severity: 'error',
      from: { path: '^sdk/' },
      to: { path: [own.kernel, own.features, '^@agent-service/(?!sdk)'] },
    },
    {
      name: 'kernel-knows-no-feature',
      comment: 'The kernel reaches plugins through contribution points only.',
      severity: 'error',
      from: { path: '^kernel/' },
      to: { path: [own.features, '^@agent-service/(?!sdk|kernel)'] },
    },
    {
      name: 'core-stands-alone',
      comment: 'The core of the kernel knows none of the packages that are built over it.',
      severity: 'error',
      from: { path: '^kernel/core/' },
      to: { path: otherKernelPackages() },
    },
    {
      name: 'services-know-only-the-core',
      comment: 'The services for plugins are built over the core, beside accounts and settings.',
      severity: 'error',
      from: { path: '^kernel/services/' },
      to: { path: otherKernelPackages('services') },
    },
    {
      name: 'accounts-know-only-the-core',
      comment: 'Only the composition of the kernel, in kernel/cli, brings accounts, services and settings together.',
      severity: 'error',
      from: { path: '^kernel/accounts/' },
      to: { path: otherKernelPackages('accounts') },
    },
    {
      name: 'settings-know-only-the-core',
      comment: 'Only the composition of the kernel, in kernel/cli, brings accounts, services and settings together.',
      severity: 'error',
      from: { path: '^kernel/settings/' },
      to: { path: otherKernelPackages('settings') },
    },
    {
      name: 'plugins-import-only-the-sdk',
      comment: 'A plugin could live in a repository of its own; in its tests it may use @agent-service/kernel/testing.',
      severity: 'error',
      from: { path: '^plugins/', pathNot: testFiles },
      to: { path: [own.kernel, '^(examples|test)/'] },
    },
    {
      name: 'plugin-tests-use-only-kernel-testing',
      comment: "Of the kernel, a plugin's tests may see @agent-service/kernel/testing and nothing else.",
      severity: 'error',
      from: { path: `^plugins/.*${testFiles}` },
      to: { path: [own.kernel, '^(examples|test)/'], pathNot: own.kernelTesting },
    },
    {
      name: 'plugins-never-import-each-other',
      comment: 'Plugins meet through contribution points and service references of the SDK.',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/' },
      to: { path: ['^plugins/([^/]+)/', '^@agent-service/(?!sdk|kernel)'], pathNot: '^plugins/$1/' },
    },
    {
      name: 'examples-import-only-the-sdk',
      comment: 'An example is what a third party can build with the published SDK.',
      severity: 'error',
      from: { path: '^examples/([^/]+)/' },
      to: {
        path: ['^(kernel|plugins|test|examples)/', '^@agent-service/(?!sdk)'],
        pathNot: '^examples/$1/',
      },
    },
    {
      name: 'web-imports-only-the-kit',
      comment: 'Of the SDK, screens may use its kits for the web and for Markdown, and types.',
      severity: 'error',
      from: { path: '^(plugins|examples)/[^/]+/web/' },
      to: { path: '^sdk/', pathNot: sdkForBrowsers, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-kit-stands-apart',
      comment: 'Of the rest of the SDK, its kit for the web may use what plugins write with, the words of tools, and types.',
      severity: 'error',
      from: { path: '^sdk/web/' },
      to: {
        path: '^sdk/',
        pathNot: [sdkForBrowsers, '^sdk/dist/(contracts/tool/)?index\\.'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'web-runs-in-browsers',
      comment: 'There is nothing of Node in a browser.',
      severity: 'error',
      from: { path: web },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'web-and-src-stand-apart',
      comment: 'What runs in browsers meets what runs in the service over HTTP alone.',
      severity: 'error',
      from: { path: web },
      to: { path: '^(plugins|examples)/[^/]+/(src|dist)/' },
    },
    {
      name: 'src-and-web-stand-apart',
      comment: 'What runs in the service meets what runs in browsers over HTTP alone.',
      severity: 'error',
      from: { path: '^(sdk|plugins/[^/]+|examples/[^/]+)/src/' },
      to: { path: web },
    },
    {
      name: 'screens-never-import-each-other',
      comment: 'What several screens share lies beside them, in a folder of its own, or in the kit.',
      severity: 'error',
      from: { path: '^(.+/web/screens/[^/]+)/' },
      to: { path: '/web/screens/', pathNot: '^$1/' },
    },
    {
      name: 'only-entries-import-screens',
      comment: 'What screens share knows none of them; only a file at the top of the web folder puts them together.',
      severity: 'error',
      from: { path: `${web}[^/]+/`, pathNot: '/web/screens/[^/]+/' },
      to: { path: '/web/screens/' },
    },
    {
      name: 'web-packages-are-declared',
      comment: 'A package that is imported stands in the package.json beside it; what the SDK asks for as its peers comes with the kit.',
      severity: 'error',
      from: { path: web, pathNot: testFiles },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
        pathNot: ['(^|/)node_modules/(solid-js|happy-dom|@testing-library)/', '(^|/)node_modules/@types/', '^@agent-service/'],
      },
    },
    {
      name: 'only-web-tests-import-their-kit',
      comment: 'What tests of components run with makes a page of Node; in a browser it would be a second kit.',
      severity: 'error',
      from: { path: web, pathNot: [testFiles, '/test-support/', '^sdk/web/testing[./]'] },
      to: { path: ['^sdk/(web|dist/web)/testing[./]', '(^|/)node_modules/(chai|mocha|happy-dom|@testing-library)/'] },
    },
    {
      name: 'no-undeclared-dependency',
      comment: 'A package that is imported stands in the package.json beside it, not only in the one of the repository.',
      severity: 'error',
      from: { path: '^(sdk|kernel|plugins|examples|test)/', pathNot: [testFiles, web] },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
        pathNot: ['(^|/)node_modules/@types/', '(^|/)node_modules/(chai|mocha|fast-check)/', '^@agent-service/'],
      },
    },
    {
      name: 'no-development-dependency-at-run-time',
      comment: 'What runs in production is a dependency, not a devDependency; types alone may be.',
      severity: 'error',
      from: { path: '^(sdk|kernel/[^/]+|plugins/[^/]+|examples/[^/]+)/src/', pathNot: [testFiles, '/testing/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '(^|/)node_modules/@types/' },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['(^|/)node_modules/(?!typebox)[^/]+/.*/node_modules/', '^[^/]+/scripts/', '^[^/]+/bin/', `${web}(dist|public)/`] },
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    combinedDependencies: false,
    preserveSymlinks: false,
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
      // Nothing changes meanwhile.
      cachedInputFileSystem: { cacheDuration: 600_000 },
    },
  },
}
