import { failure } from './failure.mjs'
import { selectPackages } from './select-packages.mjs'
import { listTestFiles } from './test-files.mjs'
import { listWorkspaces } from './workspaces.mjs'

/**
 * What the words of a command line select: the `packages` with tests to run, and whether a test file
 * of theirs is among these tests (`selects`). A word that ends like a test file names one: by its
 * path from the root, or by the end of that path. Every other word selects packages
 * (`selectPackages`), with all of their files. Without words everything is selected.
 */
export function selectTests(root, words) {
  const names = words.filter((word) => /\.test\.tsx?$/.test(word))
  const filters = words.filter((word) => !names.includes(word))
  if (names.length === 0) return { packages: selectPackages(root, filters), selects: () => true }
  const whole = new Set(filters.length === 0 ? [] : selectPackages(root, filters))
  const files = new Set()
  const packages = listWorkspaces(root).filter((folder) => {
    const all = listTestFiles(root, folder)
    const selected = all.filter((file) => whole.has(folder) || names.some((name) => isNamed(file, name)))
    for (const file of selected) files.add(file)
    return selected.length > 0
  })
  for (const name of names) {
    if (![...files].some((file) => isNamed(file, name))) {
      throw failure(`no test file is named "${name}"`, {
        mend: 'Write its path from the root, such as test/src/chats/branch-model.test.ts',
        status: 2,
      })
    }
  }
  return { packages, selects: (file) => files.has(file) }
}

const isNamed = (file, name) => file === name || file.endsWith(`/${name}`)
