/**
 * What `npm start` needs of the repository: no tests, no other examples than that of the demo, and no
 * packages that only they, the checks and the benches use.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { listWorkspaces } from './workspaces.mjs'

/** The model of the demo, which is an example too. */
const demoProvider = 'examples/provider-scripted'

/** The workspaces of the program and its plugins. */
export function runWorkspaces(root) {
  return listWorkspaces(root).filter((folder) => folder === demoProvider || (folder !== 'test' && !folder.startsWith('examples/')))
}

/** Folders with what only tests import. The testing kit of the SDK is used by the tools of authors, too. */
const testFolders = ['test-support', 'testing', 'escapes']

const testFoldersOf = (folder) => testFolders.filter((name) => folder !== 'sdk' || name !== 'testing')

/** Whether a source of a package is for tests alone; nothing else may import it. */
export function isForTests(folder, file) {
  return /\.test\.[cm]?tsx?$/.test(file) || testFoldersOf(folder).some((name) => file.includes(`/${name}/`))
}

/**
 * Writes a project for the compiler that has the sources of the program and its plugins without
 * those that are for tests. Returns its `tsconfig.json`. Each package has a project of its own
 * which extends the package's, so that its results are where they always are.
 */
export function writeRunProject(root) {
  const place = path.join(root, 'node_modules/.cache/agent-service/run')
  const folders = runWorkspaces(root).filter((folder) => existsSync(path.join(root, folder, 'tsconfig.json')))
  const projectOf = (folder) => path.join(place, folder, 'tsconfig.json')
  const types = readConfiguration(path.join(root, 'tsconfig.json')).compilerOptions.types.filter((name) => name !== 'mocha')
  for (const folder of folders) {
    const own = path.join(root, folder, 'tsconfig.json')
    const references = referencesIn(own).map((reference) => path.posix.join(folder, reference))
    write(projectOf(folder), {
      extends: own,
      compilerOptions: { types },
      include: [path.join(root, folder, 'src')],
      exclude: ['*.test.ts', '*.test.tsx', ...testFoldersOf(folder).map((name) => `${name}/**`)].map((name) =>
        path.join(root, folder, 'src/**', name),
      ),
      references: references.filter((each) => folders.includes(each)).map((each) => ({ path: projectOf(each) })),
    })
  }
  const whole = path.join(place, 'tsconfig.json')
  write(whole, { files: [], references: folders.map((folder) => ({ path: projectOf(folder) })) })
  return whole
}

function referencesIn(file) {
  const { references = [] } = readConfiguration(file)
  return references.map((reference) => reference.path)
}

const readConfiguration = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** Leaves a file as it is that has the same text: the compiler compares times. */
function write(file, configuration) {
  const text = `${JSON.stringify(configuration, undefined, 2)}\n`
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
