import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/**
 * The folder of the SDK, in which snippets stand as if they were modules of it:
 * `@agent-service/sdk` is what was compiled.
 */
export const sdkFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

const commonOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  noEmit: true,
}

/** What runs in the service. */
const serviceOptions: ts.CompilerOptions = {
  ...commonOptions,
  lib: ['lib.es2023.d.ts'],
  types: ['node'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}

/** What runs in browsers: their types, components, and nothing of Node. */
const webOptions: ts.CompilerOptions = {
  ...commonOptions,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  // Their tests stand beside components.
  types: ['mocha'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.Preserve,
  jsxImportSource: 'solid-js',
}

/** Whether a snippet is for browsers: a component, or a file in the folder `web` of a plugin. */
export const isForWeb = (file: string): boolean => file.endsWith('.tsx') || /(^|[/\\])web[/\\]/.test(file)

/** The declarations of the language and of the SDK, which most time goes into. They do not change. */
const parsed = new Map<ts.CompilerOptions, Map<string, ts.SourceFile | undefined>>([
  [serviceOptions, new Map()],
  [webOptions, new Map()],
])

/**
 * Type-checks modules against the compiled SDK, all in one run of the compiler, and one more for what {@link isForWeb}. `files` are
 * texts by name (`dice.ts`); returns the problems with each, empty for one that holds. Modules may import each other by their names,
 * within one of the two.
 */
export function compileSnippets(files: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> {
  const ofKind = (isWeb: boolean) => Object.fromEntries(Object.entries(files).filter(([name]) => isForWeb(name) === isWeb))
  return { ...problemsOf(ofKind(false), serviceOptions), ...problemsOf(ofKind(true), webOptions) }
}

function problemsOf(files: Readonly<Record<string, string>>, options: ts.CompilerOptions): Readonly<Record<string, readonly string[]>> {
  if (Object.keys(files).length === 0) return {}
  const program = createProgram(files, options)
  return Object.fromEntries(
    Object.keys(files).map((name) => {
      const source = program.getSourceFile(path.join(snippetsFolder, name))
      return [name, ts.getPreEmitDiagnostics(program, source).map(describe)]
    }),
  )
}

/** How many types the compiler instantiates to check a module that holds: what compiling it costs, on every machine the same. */
export function countInstantiations(text: string): number {
  const program = createProgram({ 'counted.ts': text }, serviceOptions)
  const problems = ts.getPreEmitDiagnostics(program, program.getSourceFile(path.join(snippetsFolder, 'counted.ts')))
  if (problems.length > 0) throw new Error(problems.map(describe).join('\n'))
  return program.getInstantiationCount()
}

const snippetsFolder = path.join(sdkFolder, 'snippets')

function createProgram(files: Readonly<Record<string, string>>, options: ts.CompilerOptions): ts.Program {
  const declarations = parsed.get(options) ?? new Map<string, ts.SourceFile | undefined>()
  const texts = new Map(Object.entries(files).map(([name, text]) => [path.join(snippetsFolder, name), text]))
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile, directoryExists } = host
  host.fileExists = (file) => texts.has(path.normalize(file)) || fileExists.call(host, file)
  host.readFile = (file) => texts.get(path.normalize(file)) ?? readFile.call(host, file)
  const holdsTexts = (directory: string): boolean => [...texts.keys()].some((file) => file.startsWith(path.normalize(directory) + path.sep))
  host.directoryExists = (directory) => holdsTexts(directory) || directoryExists?.call(host, directory) === true
  host.getSourceFile = (file, language, ...rest) => {
    const text = texts.get(path.normalize(file))
    if (text !== undefined) return ts.createSourceFile(file, text, language, true)
    if (!declarations.has(file)) declarations.set(file, getSourceFile.call(host, file, language, ...rest))
    return declarations.get(file)
  }
  host.getCurrentDirectory = () => sdkFolder
  return ts.createProgram([...texts.keys()], options, host)
}

function describe(diagnostic: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')
  if (diagnostic.file === undefined || diagnostic.start === undefined) return text
  return `line ${diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start).line + 1}: ${text}`
}
