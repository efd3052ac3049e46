import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { sdkFolder } from './compile-snippets.test.js'

/** Something that a module of the SDK exports. */
export interface PublicName {
  readonly name: string
  /** `@agent-service/sdk/testing`. */
  readonly module: string
  /** A type alone: an import of it says so. */
  readonly isType: boolean
  /** For a service reference: the name of the service's interface. */
  readonly serviceType: string | undefined
  /** The texts of its `@example` tags, and of those of its members. */
  readonly examples: readonly string[]
}

const dist = path.join(sdkFolder, 'dist')

/**
 * The declarations of each module that the package's `exports` offer, by the name of the module.
 */
function moduleFiles(): ReadonlyMap<string, string> {
  const contracts = readdirSync(path.join(dist, 'contracts')).filter((name) => existsSync(path.join(dist, 'contracts', name, 'index.d.ts')))
  const services = readdirSync(path.join(dist, 'services')).flatMap((name) => /^(.*)\.d\.ts$/.exec(name)?.[1] ?? [])
  return new Map([
    ['@agent-service/sdk', path.join(dist, 'index.d.ts')],
    ...contracts.map((name): [string, string] => [
      `@agent-service/sdk/contracts/${name}`,
      path.join(dist, 'contracts', name, 'index.d.ts'),
    ]),
    ...services.map((name): [string, string] => [`@agent-service/sdk/services/${name}`, path.join(dist, 'services', `${name}.d.ts`)]),
    ...['async', 'host', 'process', 'provider-kit', 'testing'].map((name): [string, string] => [
      `@agent-service/sdk/${name}`,
      path.join(dist, name, 'index.d.ts'),
    ]),
    ['@agent-service/sdk/addresses', path.join(dist, 'kits/addresses/index.d.ts')],
    ['@agent-service/sdk/sandbox-processes', path.join(dist, 'kits/sandbox-processes/index.d.ts')],
    ['@agent-service/sdk/memory-index', path.join(dist, 'kits/memory-index/index.d.ts')],
    ['@agent-service/sdk/search', path.join(dist, 'kits/search/index.d.ts')],
    ['@agent-service/sdk/channels', path.join(dist, 'kits/channels/index.d.ts')],
    ['@agent-service/sdk/markdown', path.join(dist, 'kits/markdown/index.d.ts')],
    ['@agent-service/sdk/oauth-client', path.join(dist, 'kits/oauth-client/index.d.ts')],
    ['@agent-service/sdk/schedule', path.join(dist, 'kits/schedule/index.d.ts')],
    ['@agent-service/sdk/author', path.join(dist, 'build/index.d.ts')],
    [webModule, path.join(dist, 'web/index.d.ts')],
    ...['configuration', 'forms', 'host', 'markdown', 'preview', 'testing', 'uploads', 'words'].map((name): [string, string] => [
      `${webModule}/${name}`,
      path.join(dist, `web/${name}.d.ts`),
    ]),
  ])
}

const webModule = '@agent-service/sdk/web'

/** Whether a module is part of the kit of screens, which runs in browsers. */
export const isWebModule = (module: string): boolean => module === webModule || module.startsWith(`${webModule}/`)

/** Every name that the compiled SDK exports, module by module. */
export function readPublicNames(): readonly PublicName[] {
  const files = moduleFiles()
  const program = ts.createProgram([...files.values()], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
  })
  const checker = program.getTypeChecker()
  return [...files].flatMap(([module, file]) => {
    const source = program.getSourceFile(file)
    const symbol = source && checker.getSymbolAtLocation(source)
    if (symbol === undefined) throw new Error(`${module} has no exports: ${file}`)
    return checker.getExportsOfModule(symbol).map((exported) => describeName(checker, module, exported))
  })
}

function describeName(checker: ts.TypeChecker, module: string, exported: ts.Symbol): PublicName {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  const members = [...(symbol.members?.values() ?? [])]
  return {
    name: exported.name,
    module,
    isType: (symbol.flags & ts.SymbolFlags.Value) === 0,
    serviceType: serviceTypeOf(symbol),
    examples: [symbol, ...members].flatMap((each) =>
      each
        .getJsDocTags(checker)
        .filter(({ name }) => name === 'example')
        .map(({ text }) => ts.displayPartsToString(text)),
    ),
  }
}

/** `Runs` of `declare const runsService: ServiceReference<Runs, "runs">`. */
function serviceTypeOf(symbol: ts.Symbol): string | undefined {
  const declaration = symbol.valueDeclaration
  if (declaration === undefined || !ts.isVariableDeclaration(declaration) || declaration.type === undefined) return undefined
  return /(?:^|\.)ServiceReference<(\w+),/.exec(declaration.type.getText())?.[1]
}
